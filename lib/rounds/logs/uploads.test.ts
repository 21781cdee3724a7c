import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openStore, type Store } from "../../store/open-store.ts";
import { RoundsService } from "../service.ts";
import { maxUploadBytes, uploadsDir } from "../settings.ts";
import type { SubmitResult } from "../submission.ts";
import { HEAD_BYTES } from "./recognise-log.ts";
import { type UploadClaim, uploadedHead } from "./uploads.ts";

let folder: string;
let store: Store;
let service: RoundsService;
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "uploads-"));
  vi.stubEnv("THROTTLE_DATA", folder);
  await mkdir(uploadsDir());
  store = await openStore(folder);
  service = new RoundsService(store);
});
afterAll(async () => {
  await store.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const digest = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Bytes as they arrived, with the note of the upload protocol beside them, and an honest claim of what was sent. */
async function uploaded(arrived: string | Uint8Array, sent = arrived): Promise<UploadClaim> {
  const upload_id = (made++).toString(16).padStart(32, "0");
  await writeFile(join(uploadsDir(), upload_id), arrived);
  await writeFile(join(uploadsDir(), `${upload_id}.json`), "{}");
  return { upload_id, sha256: digest(sent), bytes: Buffer.byteLength(sent), name: "big.jsonl" };
}

async function submit(claim: UploadClaim): Promise<SubmitResult> {
  const { contract, policy } = await service.scenario();
  return service.submit({
    reading: "strict",
    faults: [],
    contract: { name: "contract.json", text: contract },
    policy: { name: "policy.json", text: policy },
    stream: { kind: "upload", ...claim },
  });
}

const rounds = async () => (await service.list({ sort: "created", dir: "asc", limit: 1, offset: 0 })).total;

/** Refused, and no round made of it. */
async function refusedFor(claim: UploadClaim): Promise<string> {
  const before = await rounds();
  const result = await submit(claim);
  if (result.ok) throw new Error("it was taken");
  expect(await rounds()).toBe(before);
  expect(result.problems).toEqual([{ file: claim.name, path: "", message: expect.any(String) }]);
  return result.problems[0]!.message;
}

async function done(result: SubmitResult) {
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  await vi.waitFor(async () => expect((await service.round(result.id))?.state).toBe("done"), {
    timeout: 30_000,
  });
  return (await service.round(result.id))!;
}

test("a whole upload is taken over: the round has its bytes, and nothing of it is left behind", async () => {
  const { stream } = await service.scenario();
  const claim = await uploaded(stream);
  const round = await done(await submit(claim));
  expect(round.summary).toMatchObject({ requests: 17, truth: { status: 0 } });
  expect(round).toMatchObject({ stream_name: "big.jsonl", stream_bytes: claim.bytes });
  expect((await service.inputs(round.id))!.stream.sha256).toBe(claim.sha256);
  expect(await readdir(uploadsDir())).toEqual([]);
});

test("0 bytes that are meant to be 0 bytes are a stream", async () => {
  expect((await done(await submit(await uploaded("")))).summary?.requests).toBe(0);
});

test("cut off in transfer: refused with what arrived and what was sent, and kept so that it can go on", async () => {
  const { stream } = await service.scenario();
  // Cut at a line's end: what arrived is a valid stream, and only its size tells.
  const arrived = stream.split("\n").slice(0, 5).join("\n").concat("\n");
  const claim = await uploaded(arrived, stream);
  const message = await refusedFor(claim);
  expect(message).toContain("cut off");
  expect(message).toContain(`${arrived.length} of ${stream.length} bytes`);
  expect(await isThere(join(uploadsDir(), claim.upload_id))).toBe(true);
});

test("nothing arrived of what was sent", async () => {
  expect(await refusedFor(await uploaded("", "x"))).toContain("0 of 1 bytes");
});

test("more arrived than was sent", async () => {
  const { stream } = await service.scenario();
  await refusedFor(await uploaded(stream.repeat(2), stream));
});

test("one byte changed in transfer, the size as it was: found by the SHA-256", async () => {
  const { stream } = await service.scenario();
  expect(await refusedFor(await uploaded(stream.replace("6.0", "6.1"), stream))).toContain("SHA-256");
});

test.each([
  ["no digest", ""],
  ["a digest cut short", digest("a stream").slice(0, 16)],
  ["upper case", digest("a stream").toUpperCase()],
])("a claim with %s is never taken for a match", async (_, sha256) => {
  await refusedFor({ ...(await uploaded("a stream")), sha256 });
});

test.each([-1, 0.5, Number.NaN, 9])("a claim of %d bytes over 8 is refused", async (bytes) => {
  await refusedFor({ ...(await uploaded("a stream")), bytes });
});

test.each([
  "",
  ".",
  "..",
  "../tenantthrottle.sqlite",
  "/etc/passwd",
  `../uploads/${"0".repeat(32)}`,
  "0".repeat(31),
  "0".repeat(33),
  `${"0".repeat(32)}.json`,
  `${"0".repeat(32)}\n`,
  "G".repeat(32),
])("%j is no upload of this server", async (upload_id) => {
  await writeFile(join(uploadsDir(), "0".repeat(32)), "x");
  const message = await refusedFor({ upload_id, sha256: digest("x"), bytes: 1, name: "big.jsonl" });
  expect(message).toContain("no upload of this server");
});

test("an upload that never began, and a directory in its place", async () => {
  const upload_id = "f".repeat(32);
  const claim = { upload_id, sha256: digest("x"), bytes: 1, name: "big.jsonl" };
  expect(await refusedFor(claim)).toContain("was not uploaded");
  await mkdir(join(uploadsDir(), upload_id));
  await refusedFor({ ...claim, bytes: 4096 });
});

test("an upload makes one round, also where it is submitted twice at once", async () => {
  const { stream } = await service.scenario();
  const claim = await uploaded(stream);
  const results = await Promise.all([submit(claim), submit(claim)]);
  expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
  await done(results.find(({ ok }) => ok)!);
  expect(await refusedFor(claim)).toContain("taken already");
});

test("an upload is kept where contract or policy are refused: it need not be sent again", async () => {
  const claim = await uploaded("");
  const { policy } = await service.scenario();
  const refused = await service.submit({
    reading: "strict",
    faults: [],
    contract: { name: "contract.json", text: "{}" },
    policy: { name: "policy.json", text: policy },
    stream: { kind: "upload", ...claim },
  });
  expect(refused.ok).toBe(false);
  await done(await submit(claim));
});

test.each(["0", "-1", "1.5", "2GB", "1e9", "0x10", " 5"])(
  "a limit of %j bytes stops the program, and is not taken for none",
  (text) => {
    vi.stubEnv("THROTTLE_MAX_UPLOAD_BYTES", text);
    expect(() => maxUploadBytes()).toThrow(/THROTTLE_MAX_UPLOAD_BYTES/);
    vi.stubEnv("THROTTLE_MAX_UPLOAD_BYTES", "");
    expect(maxUploadBytes()).toBe(2 * 1024 ** 3);
  },
);

test("the first bytes of an upload are given while the whole of it is here, and of nothing else", async () => {
  const short = await uploaded("a few lines");
  expect(Buffer.from((await uploadedHead(short))!).toString()).toBe("a few lines");
  const long = await uploaded("x".repeat(2 * HEAD_BYTES));
  expect((await uploadedHead(long))!.length).toBe(HEAD_BYTES);
  expect(await uploadedHead(await uploaded("the first half", "the first half, and the second"))).toBeNull();
  expect(await uploadedHead({ upload_id: "f".repeat(32), bytes: 1 })).toBeNull();
  expect(await uploadedHead({ upload_id: `../${short.upload_id}`, bytes: short.bytes })).toBeNull();
});
