import { BundleProblem } from "./bundle-problem.ts";

/** One entry of an archive, as its directory tells it. */
export interface ZipEntry {
  name: string;
  /** How it is packed: 0 as it is, 8 deflated. */
  method: number;
  packedBytes: number;
  bytes: number;
  /** Where its own header begins. */
  offset: number;
}

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** Most entries that are read: a bundle has at most five. */
const MOST_ENTRIES = 16;
const MOST_DIRECTORY_BYTES = 64 * 1024;
/** Deflate packs at most 1032 bytes into one; a little more for the smallest files. */
const MOST_RATIO = 1040;
const ENCRYPTED = 1;

const utf8 = new TextDecoder("utf-8", { fatal: true });
const CUT_OFF = "is no whole ZIP archive: it is cut off, or something follows its end";

async function viewOf(blob: Blob, start: number, end: number): Promise<DataView> {
  return new DataView(await blob.slice(start, end).arrayBuffer());
}

function nameIn(view: DataView, start: number, length: number): string {
  try {
    return utf8.decode(new Uint8Array(view.buffer, view.byteOffset + start, length));
  } catch {
    throw new BundleProblem("holds an entry whose name is no UTF-8");
  }
}

/** Where the directory is, by the record at the very end: a bundle has no comment and nothing behind it. */
async function findDirectory(blob: Blob): Promise<{ count: number; start: number; end: number }> {
  if (blob.size < END_BYTES) throw new BundleProblem(CUT_OFF);
  const end = await viewOf(blob, blob.size - END_BYTES, blob.size);
  if (end.getUint32(0, true) !== END_SIGNATURE || end.getUint16(20, true) !== 0)
    throw new BundleProblem(CUT_OFF);
  const count = end.getUint16(10, true);
  const bytes = end.getUint32(12, true);
  const start = end.getUint32(16, true);
  if (end.getUint16(4, true) !== 0 || end.getUint16(8, true) !== count)
    throw new BundleProblem("is a part of an archive of several files");
  if (count > MOST_ENTRIES || bytes > MOST_DIRECTORY_BYTES)
    throw new BundleProblem(`holds ${count} entries; expected at most ${MOST_ENTRIES}`);
  if (start + bytes !== blob.size - END_BYTES) throw new BundleProblem(CUT_OFF);
  return { count, start, end: start + bytes };
}

/** The length of one record of the directory and the entry it tells of. */
function readRecord(view: DataView, at: number): { entry: ZipEntry; length: number } {
  if (at + ENTRY_BYTES > view.byteLength || view.getUint32(at, true) !== ENTRY_SIGNATURE)
    throw new BundleProblem("has a directory that cannot be read");
  const nameBytes = view.getUint16(at + 28, true);
  const length = ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  if (at + length > view.byteLength) throw new BundleProblem("has a directory that cannot be read");
  const entry = {
    name: nameIn(view, at + ENTRY_BYTES, nameBytes),
    method: view.getUint16(at + 10, true),
    packedBytes: view.getUint32(at + 20, true),
    bytes: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
  };
  const shown = JSON.stringify(entry.name);
  if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0)
    throw new BundleProblem(`holds ${shown}, which is encrypted`);
  if (entry.method !== 0 && entry.method !== 8)
    throw new BundleProblem(`holds ${shown}, packed in a way that is not read here (method ${entry.method})`);
  if (
    entry.bytes > (entry.packedBytes + 1) * MOST_RATIO ||
    (entry.method === 0 && entry.bytes !== entry.packedBytes)
  )
    throw new BundleProblem(
      `says that ${shown} holds ${entry.bytes} bytes, which ${entry.packedBytes} packed bytes cannot be`,
    );
  return { entry, length };
}

/** The entries of an archive, by its directory. No two have one name, and none reaches into another. */
export async function readDirectory(blob: Blob): Promise<Map<string, ZipEntry>> {
  const { count, start, end } = await findDirectory(blob);
  const view = await viewOf(blob, start, end);
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  for (let index = 0; index < count; index++) {
    const { entry, length } = readRecord(view, at);
    if (entries.has(entry.name)) throw new BundleProblem(`holds ${JSON.stringify(entry.name)} twice`);
    entries.set(entry.name, entry);
    at += length;
  }
  if (at !== view.byteLength) throw new BundleProblem("has a directory that cannot be read");
  let free = 0;
  for (const entry of [...entries.values()].sort((a, b) => a.offset - b.offset)) {
    if (entry.offset < free) throw new BundleProblem("holds entries that lie over each other");
    free = entry.offset + LOCAL_BYTES + entry.packedBytes;
  }
  if (free > start) throw new BundleProblem(CUT_OFF);
  return entries;
}

/** The packed bytes of an entry. Its own header must name it as the directory does: readers of one archive must agree. */
export async function packedBytes(blob: Blob, entry: ZipEntry): Promise<Blob> {
  const header = await viewOf(blob, entry.offset, entry.offset + LOCAL_BYTES + 1024);
  if (header.byteLength < LOCAL_BYTES || header.getUint32(0, true) !== LOCAL_SIGNATURE)
    throw new BundleProblem(`has no ${JSON.stringify(entry.name)} where its directory says`);
  const nameBytes = header.getUint16(26, true);
  const isNamed = LOCAL_BYTES + nameBytes <= header.byteLength;
  if (!isNamed || nameIn(header, LOCAL_BYTES, nameBytes) !== entry.name)
    throw new BundleProblem(`has another entry where its directory says ${JSON.stringify(entry.name)}`);
  const start = entry.offset + LOCAL_BYTES + nameBytes + header.getUint16(28, true);
  return blob.slice(start, start + entry.packedBytes);
}
