import { NAME_MAX_BYTES } from "../../contract/name.ts";
import type { TextColumn } from "../../contract/text-column.ts";

/** Stands for a request that is not there. */
export const NO_REQUEST = -1;

const encoder = new TextEncoder();
/** Ids come from strangers: where each of them lies cannot be known beforehand. It changes no result. */
const SALT = Math.floor(Math.random() * 2 ** 31);

function spot(bytes: Uint8Array, start: number, end: number): number {
  let mixed = SALT;
  for (let at = start; at < end; at++) mixed = Math.imul(mixed + bytes[at]!, 0x9e3779b1) ^ (mixed >>> 15);
  return Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d) >>> 0;
}

/** Finds requests by their ids: some eight bytes a request, where a map of texts would take a hundred. */
export class RequestIndex {
  private readonly ids: TextColumn;
  /** One more than a request; 0 where there is none. More than half are free. */
  private readonly places: Uint32Array;
  private readonly room = new Uint8Array(NAME_MAX_BYTES);

  constructor(ids: TextColumn) {
    this.ids = ids;
    this.places = new Uint32Array(2 ** Math.ceil(Math.log2(2 * ids.length + 2)));
    const mask = this.places.length - 1;
    for (let request = 0; request < ids.length; request++) {
      let place = spot(ids.bytes, ids.starts[request]!, ids.starts[request + 1]!) & mask;
      while (this.places[place] !== 0) place = (place + 1) & mask;
      this.places[place] = request + 1;
    }
  }

  /** The request of an id, or NO_REQUEST. */
  find(id: string): number {
    const length = this.encode(id);
    if (length < 0) return NO_REQUEST;
    const mask = this.places.length - 1;
    let place = spot(this.room, 0, length) & mask;
    for (let found = this.places[place]!; found > 0; found = this.places[place]!) {
      if (this.isAt(found - 1, length)) return found - 1;
      place = (place + 1) & mask;
    }
    return NO_REQUEST;
  }

  /** Puts an id's bytes into the room; how many they are, −1 where no request's id can be that. */
  private encode(id: string): number {
    if (id.length > NAME_MAX_BYTES) return -1;
    for (let at = 0; at < id.length; at++) {
      const unit = id.charCodeAt(at);
      if (unit > 0x7f) {
        // What is no text of Unicode would be encoded like another one.
        if (!id.isWellFormed()) return -1;
        const { read, written } = encoder.encodeInto(id, this.room);
        return read < id.length ? -1 : written;
      }
      this.room[at] = unit;
    }
    return id.length;
  }

  private isAt(request: number, length: number): boolean {
    const { bytes, starts } = this.ids;
    const start = starts[request]!;
    if (starts[request + 1]! - start !== length) return false;
    for (let at = 0; at < length; at++) if (bytes[start + at] !== this.room[at]) return false;
    return true;
  }
}
