/** Ids come from strangers: where each of them lies cannot be known beforehand. It changes no result. */
const SALT = Math.floor(Math.random() * 2 ** 31);

function spotOf(id: string): number {
  let mixed = SALT;
  for (let at = 0; at < id.length; at++)
    mixed = Math.imul(mixed + id.charCodeAt(at), 0x9e3779b1) ^ (mixed >>> 15);
  return Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d) >>> 0;
}

/**
 * Places by the ids that stand there: of ten million some fifteen bytes each, where a map of texts would take a hundred.
 * An id may stand at any number of places: a report from elsewhere can have one at all of them.
 */
export class PlacesById {
  private readonly idAt: (place: number) => string | null;
  /** By place. */
  private readonly spots: Uint32Array;
  /** One more than the first place of an id by its spot; 0 where there is none. More than half are free. */
  private readonly firsts: Uint32Array;
  /** One more than the next place of the same id, by place; 0 where there is none. Null: no id stands twice. */
  private following: Uint32Array | null = null;

  /** @param idAt null where no id stands */
  constructor(count: number, idAt: (place: number) => string | null) {
    this.idAt = idAt;
    this.spots = new Uint32Array(count);
    this.firsts = new Uint32Array(2 * count + 2);
    // From the last on: each place of an id goes before those that are known.
    for (let place = count - 1; place >= 0; place--) {
      const id = idAt(place);
      if (id === null) continue;
      this.spots[place] = spotOf(id);
      const slot = this.slotOf(id, this.spots[place]!);
      if (this.firsts[slot] !== 0) {
        this.following ??= new Uint32Array(count);
        this.following[place] = this.firsts[slot]!;
      }
      this.firsts[slot] = place + 1;
    }
  }

  /** The first place of an id; −1 where there is none. */
  find(id: string): number {
    return this.firsts[this.slotOf(id, spotOf(id))]! - 1;
  }

  /** The next place of the id that stands at a place; −1 where there is none. */
  after(place: number): number {
    return (this.following?.[place] ?? 0) - 1;
  }

  /** Where the first place of an id is kept, or would be. */
  private slotOf(id: string, spot: number): number {
    const { length } = this.firsts;
    let slot = Math.floor((spot / 2 ** 32) * length);
    for (let first = this.firsts[slot]!; first !== 0; first = this.firsts[slot]!) {
      // An id is a text that has to be made: only what is likely to be it is asked for.
      if (this.spots[first - 1] === spot && this.idAt(first - 1) === id) break;
      slot = slot + 1 < length ? slot + 1 : 0;
    }
    return slot;
  }
}
