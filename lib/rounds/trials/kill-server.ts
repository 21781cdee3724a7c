/**
 * A server of the kill trial, in a process of its own: opens the store of THROTTLE_DATA, goes on with what was not
 * finished, and then uploads and submits a stream and a log in turn until it is killed. It says on stdout what it is at.
 *
 *     node lib/rounds/trials/kill-server.ts STREAM CONTRACT POLICY LOG MAPPING
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { openStore } from "../../store/open-store.ts";
import { RoundsService } from "../service.ts";
import { dataDir, uploadsDir } from "../settings.ts";

/** Bytes of an upload that are written at once: so that a kill can come between. */
const PIECE_BYTES = 64 * 1024;
const LOOK_EVERY_MS = 2;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const say = (activity: string) => process.stdout.write(`${activity}\n`);

/** Writes bytes where the upload protocol would, piece by piece; returns its id. */
async function upload(bytes: Uint8Array): Promise<string> {
  const id = randomBytes(16).toString("hex");
  await mkdir(uploadsDir(), { recursive: true });
  const file = await open(join(uploadsDir(), id), "wx");
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      await file.write(bytes.subarray(at, at + PIECE_BYTES));
      await pause(0);
    }
  } finally {
    await file.close();
  }
  return id;
}

/** Rounds that wait or run, of which more are not begun: so that kills meet those that were killed before. */
const MOST_UNFINISHED = 2;

const [stream, contract, policy, log, mapping] = process.argv.slice(2) as [
  stream: string,
  contract: string,
  policy: string,
  log: string,
  mapping: string,
];
const store = await openStore(dataDir());
const service = new RoundsService(store);
say("open");
await service.resume();
const named = async (path: string) => ({ name: basename(path), text: await readFile(path, "utf8") });

/** What is uploaded in turn. */
const INPUTS = await Promise.all(
  [stream, log].map(async (path) => {
    const bytes = await readFile(path);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { name: basename(path), bytes, sha256, mapping: path === log ? JSON.parse(mapping) : null };
  }),
);

async function submit({ name, bytes, sha256, mapping }: (typeof INPUTS)[number]): Promise<void> {
  say("upload");
  const upload_id = await upload(bytes);
  say("submit");
  const submitted = await service.submit({
    reading: "strict",
    faults: [],
    contract: await named(contract),
    policy: await named(policy),
    stream: { kind: "upload", upload_id, sha256, bytes: bytes.length, name },
    mapping,
  });
  if (!submitted.ok) throw new Error(submitted.problems[0]?.message);
  say(`submitted ${submitted.id}`);
}

// Which comes first is left to chance: a server may not live to see the second.
let turn = randomBytes(1)[0]! % INPUTS.length;
let told = "";
for (; ; await pause(LOOK_EVERY_MS)) {
  const unfinished = await store.rounds.unfinished();
  if (unfinished.length < MOST_UNFINISHED) {
    await submit(INPUTS[turn]!);
    turn = (turn + 1) % INPUTS.length;
    continue;
  }
  const phases = await Promise.all(
    unfinished.map(async ({ id }) => (await service.round(id))?.progress?.phase),
  );
  const now = phases.find((phase) => phase !== undefined) ?? "between";
  if (now !== told) say(now);
  told = now;
}
