import type { Packing } from "../../../contract/mapping.ts";
import { packingOf, unpacked } from "./archive.ts";

/** What a log is read from: its bytes as they came, from the start each time it is asked. */
export type OpenLog = () => AsyncIterable<Uint8Array>;

/** The bytes of a log without its packing, and how many came and left so far. */
export interface UnpackedLog {
  packing: Packing;
  bytes: AsyncIterable<Uint8Array>;
  rawBytes: () => number;
  unpackedBytes: () => number;
}

const MAGIC_BYTES = 8;

/** Opens a log and sees how it is packed; an ArchiveProblem, at once or midway, where it cannot be unpacked. */
export async function openUnpacked(open: OpenLog): Promise<UnpackedLog> {
  const iterator = open()[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let head = new Uint8Array();
  let raw = 0;
  let out = 0;
  while (head.length < MAGIC_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    held.push(next.value);
    head = new Uint8Array(Buffer.concat([head, next.value.subarray(0, MAGIC_BYTES)]));
  }
  const packing = packingOf(head);
  const all = async function* () {
    for (const chunk of held.splice(0)) {
      raw += chunk.length;
      yield chunk;
    }
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      raw += next.value.length;
      yield next.value;
    }
  };
  const bytes = async function* () {
    for await (const chunk of unpacked(all(), packing)) {
      out += chunk.length;
      yield chunk;
    }
  };
  return { packing, bytes: bytes(), rawBytes: () => raw, unpackedBytes: () => out };
}
