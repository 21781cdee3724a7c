import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerFullDisk } from "./full-disk.ts";

test("an upload that the disk does not take is removed and answered so, others stay; with room it is another failure", async () => {
  const folder = await mkdtemp(join(tmpdir(), "full-disk-"));
  try {
    const [id, other] = ["a".repeat(32), "b".repeat(32)];
    for (const name of [id, `${id}.json`, other]) await writeFile(join(folder, name), "part");
    const url = `http://127.0.0.1/api/uploads/${id}`;
    // This disk has room.
    expect(await answerFullDisk(folder, url)).toBeUndefined();
    expect(await readdir(folder)).toHaveLength(3);
    const full = async () => 4096;
    expect(await answerFullDisk(folder, url, full)).toMatchObject({ status_code: 507 });
    expect(await readdir(folder)).toEqual([other]);
    expect(await answerFullDisk(folder, "http://127.0.0.1/api/uploads", full)).toMatchObject({
      status_code: 507,
    });
    expect(await readdir(folder)).toEqual([other]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
