import { once } from "node:events";
import { lstat, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFileAtomic } from "./atomic-file.ts";
import { FileProblem } from "./file-problem.ts";
import { readFileAhead, readInputFile, readSmallFile } from "./read-file.ts";

const newFolder = () => mkdtemp(join(tmpdir(), "tenantthrottle-files-"));

/** The problem that something ends in. */
async function problemOf(attempt: Promise<unknown>): Promise<FileProblem> {
  const error = await attempt.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FileProblem);
  return error as FileProblem;
}

/** How many bytes a file has, read in both ways; each ends in the same problem where it cannot be read. */
async function readAll(path: string): Promise<number> {
  const [all, ahead] = await Promise.allSettled(
    [readInputFile, readFileAhead].map(async (read) => {
      let bytes = 0;
      for await (const chunk of read(path)) bytes += chunk.length;
      return bytes;
    }),
  );
  expect(ahead).toEqual(all);
  if (all!.status === "rejected") throw all!.reason;
  return all!.value;
}

test("what cannot be read is a problem of that file, in words", async () => {
  const folder = await newFolder();
  const file = join(folder, "file");
  const loop = join(folder, "loop");
  await writeFile(file, "");
  await symlink(loop, loop);
  const cases = [
    [join(folder, "missing"), "there is no such file"],
    [folder, "is a directory; expected a file"],
    [join(file, "below"), "a part of its path is no directory"],
    [join(folder, "n".repeat(300)), "has too long a name"],
    [loop, "links to itself"],
    ["a\0b", "cannot be read or written (ERR_INVALID_ARG_VALUE)"],
  ] as const;
  for (const [path, message] of cases)
    for (const read of [readAll, (file: string) => readSmallFile(file, 10)])
      expect(await problemOf(read(path))).toMatchObject({ file: path, message });
});

test("a small file is bounded by what it yields: exactly the bound is fine, a device without end is not", async () => {
  const file = join(await newFolder(), "file");
  await writeFile(file, "0123456789");
  expect(Buffer.from(await readSmallFile(file, 10)).toString()).toBe("0123456789");
  expect((await problemOf(readSmallFile(file, 9))).message).toBe("is too large; expected at most 9 bytes");
  expect((await problemOf(readSmallFile("/dev/zero", 1000))).message).toContain("is too large");
});

test("an empty file is read as one", async () => {
  const file = join(await newFolder(), "file");
  await writeFile(file, "");
  expect(await readAll(file)).toBe(0);
  expect(await readSmallFile(file, 0)).toHaveLength(0);
});

test("a file is replaced whole, with the folders above it made", async () => {
  const folder = await newFolder();
  const path = join(folder, "a", "b", "report.json");
  const text = ["ä", new Uint8Array([0, 255]), "", "z".repeat(100_000)];
  const written = await writeFileAtomic(path, text);
  expect(written.bytes).toBe(2 + 2 + 100_000);
  expect(await readFile(path)).toHaveLength(written.bytes);
  await writeFileAtomic(path, ["second"]);
  expect(await readFile(path, "utf8")).toBe("second");
  expect(await readdir(join(folder, "a", "b"))).toEqual(["report.json"]);
});

test("a writer that fails leaves what was there, and nothing else", async () => {
  const folder = await newFolder();
  const path = join(folder, "report.json");
  await writeFileAtomic(path, ["first"]);
  const failing = function* () {
    yield "half of the sec";
    throw new Error("no more");
  };
  await expect(writeFileAtomic(path, failing())).rejects.toThrow("no more");
  expect(await readFile(path, "utf8")).toBe("first");
  expect(await readdir(folder)).toEqual(["report.json"]);
});

test("a link is written through, a socket is left what it is", async () => {
  const folder = await newFolder();
  const [file, link, socket] = ["file", "link", "socket"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(file, "first");
  await symlink("file", link);
  await writeFileAtomic(link, ["second"]);
  expect(await readFile(file, "utf8")).toBe("second");
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  // A socket stands for devices: were this to fail over /dev/null, the machine would have lost it.
  const server = createServer().listen(socket);
  await once(server, "listening");
  expect((await problemOf(writeFileAtomic(socket, ["x"]))).message).toContain("is no file");
  expect((await lstat(socket)).isSocket()).toBe(true);
  expect((await readdir(folder)).sort()).toEqual(["file", "link", "socket"]);
  server.close();
});

test("what cannot be written is a problem of the file that was asked for", async () => {
  const folder = await newFolder();
  await mkdir(join(folder, "taken", "full"), { recursive: true });
  expect(await problemOf(writeFileAtomic(join(folder, "taken"), ["x"]))).toMatchObject({
    file: join(folder, "taken"),
    message: "is a directory; expected a file",
  });
  await writeFile(join(folder, "file"), "");
  for (const path of [join(folder, "file", "x"), join(folder, "file", "y", "z")])
    expect(await problemOf(writeFileAtomic(path, ["x"]))).toMatchObject({
      file: path,
      message: "a part of its path is no directory",
    });
  expect((await readdir(folder)).sort()).toEqual(["file", "taken"]);
});

test.skipIf(process.platform !== "linux")(
  "where a file system takes no folder that is said at once, and not tried for ever",
  async () => {
    const error = await writeFileAtomic("/proc/nowhere/below/file", ["text"]).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(FileProblem);
    expect(error).toMatchObject({ file: "/proc/nowhere/below/file" });
  },
);

test("a file is read ahead byte for byte, and whoever stops in the middle leaves it closed", async () => {
  const path = join(await newFolder(), "file");
  const bytes = Uint8Array.from({ length: 3_500_000 }, (_, at) => (at * 7919) >> 3);
  await writeFile(path, bytes);
  const found: Uint8Array[] = [];
  for await (const chunk of readFileAhead(path)) found.push(chunk.slice());
  expect(Buffer.concat(found).equals(bytes)).toBe(true);
  const open = async () => (await readdir("/proc/self/fd")).length;
  const before = await open();
  for (let nth = 0; nth < 20; nth++) for await (const _ of readFileAhead(path)) break;
  expect(await open()).toBeLessThan(before + 20);
});
