import type { Decision } from "../../contract/report.ts";
import type { Rows } from "../../contract/rows.ts";

/** Ids come from strangers: where each of them lies cannot be known beforehand. It changes no result. */
const SALT = Math.floor(Math.random() * 2 ** 31);

function spot(id: string): number {
  let mixed = SALT;
  for (let at = 0; at < id.length; at++)
    mixed = Math.imul(mixed + id.charCodeAt(at), 0x9e3779b1) ^ (mixed >>> 15);
  return Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d) >>> 0;
}

/** One more than a place by the spot of its id; 0 where there is none. More than half are free. */
function placesOf(rows: Rows<Decision>): Uint32Array {
  const places = new Uint32Array(2 ** Math.ceil(Math.log2(2 * rows.length + 2)));
  const mask = places.length - 1;
  for (let place = 0; place < rows.length; place++) {
    let at = spot(rows.at(place)!.req_id) & mask;
    while (places[at] !== 0) at = (at + 1) & mask;
    places[at] = place + 1;
  }
  return places;
}

/**
 * Decisions that are taken by their ids, each once: of ten million a few bytes each, where a map of texts would take a
 * hundred. As long as they are asked for in their own order nothing is looked up.
 */
export class DecisionsById {
  private readonly rows: Rows<Decision>;
  private readonly isTaken: Uint8Array;
  private places: Uint32Array | null = null;
  /** Behind the one that was taken last. */
  private next = 0;

  constructor(rows: Rows<Decision>) {
    this.rows = rows;
    this.isTaken = new Uint8Array(rows.length);
  }

  /** A decision of an id that was not taken yet, of several the next one; null where there is none. */
  take(id: string): Decision | null {
    return this.takeAt(this.next, id) ?? this.search(id);
  }

  /** Those that nobody took, in their order. */
  *rest(): Generator<Decision> {
    for (let place = 0; place < this.rows.length; place++)
      if (this.isTaken[place] === 0) yield this.rows.at(place)!;
  }

  private takeAt(place: number, id: string): Decision | null {
    if (place >= this.rows.length || this.isTaken[place] === 1) return null;
    const row = this.rows.at(place)!;
    if (row.req_id !== id) return null;
    this.isTaken[place] = 1;
    this.next = place + 1;
    return row;
  }

  private search(id: string): Decision | null {
    this.places ??= placesOf(this.rows);
    const mask = this.places.length - 1;
    for (let at = spot(id) & mask; this.places[at] !== 0; at = (at + 1) & mask) {
      const found = this.takeAt(this.places[at]! - 1, id);
      if (found !== null) return found;
    }
    return null;
  }
}
