import { NAME_MAX_BYTES } from "../../contract/limits.ts";
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

/** One more than a request by the spot of its id; 0 where there is none. More than half are free. */
function placesOf({ bytes, starts, length }: TextColumn): Uint32Array {
  const places = new Uint32Array(2 ** Math.ceil(Math.log2(2 * length + 2)));
  const mask = places.length - 1;
  for (let request = 0; request < length; request++) {
    let place = spot(bytes, starts[request]!, starts[request + 1]!) & mask;
    while (places[place] !== 0) place = (place + 1) & mask;
    places[place] = request + 1;
  }
  return places;
}

/** Finds requests by their ids: some eight bytes a request, where a map of texts would take a hundred. */
export class RequestIndex {
  private readonly ids: TextColumn;
  /** Made when a request is not where it was looked for first. */
  private places: Uint32Array | null = null;
  private readonly room = new Uint8Array(NAME_MAX_BYTES);

  constructor(ids: TextColumn) {
    this.ids = ids;
  }

  /**
   * The request of an id, or NO_REQUEST.
   * @param likely where to look first: a request, or NO_REQUEST
   */
  find(id: string, likely = NO_REQUEST): number {
    if (likely !== NO_REQUEST && this.isAsciiAt(likely, id)) return likely;
    const length = this.encode(id);
    if (length < 0) return NO_REQUEST;
    this.places ??= placesOf(this.ids);
    const { places } = this;
    const mask = places.length - 1;
    let place = spot(this.room, 0, length) & mask;
    for (let found = places[place]!; found > 0; found = places[place]!) {
      if (this.isAt(found - 1, length)) return found - 1;
      place = (place + 1) & mask;
    }
    return NO_REQUEST;
  }

  /** Whether a request's id is this one and of ASCII, whose units are its bytes. */
  private isAsciiAt(request: number, id: string): boolean {
    const { bytes, starts } = this.ids;
    const start = starts[request]!;
    if (starts[request + 1]! - start !== id.length) return false;
    for (let at = 0; at < id.length; at++) {
      const byte = bytes[start + at]!;
      // Units above would be other bytes, though there are bytes of their number.
      if (byte > 0x7f || byte !== id.charCodeAt(at)) return false;
    }
    return true;
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
