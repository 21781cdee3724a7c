/** Ids come from strangers: where each of them lies cannot be known beforehand. It changes no result. */
const SALT = Math.floor(Math.random() * 2 ** 31);

function spot(id: string): number {
  let mixed = SALT;
  for (let at = 0; at < id.length; at++)
    mixed = Math.imul(mixed + id.charCodeAt(at), 0x9e3779b1) ^ (mixed >>> 15);
  return Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d) >>> 0;
}

/** Places by the ids that stand there: of ten million a dozen bytes each, where a map of texts would take a hundred. */
export class PlacesById {
  private readonly idAt: (place: number) => string | null;
  /** One more than a place by the spot of its id; 0 where there is none. More than half are free. */
  private readonly places: Uint32Array;

  /** @param idAt null where no id stands */
  constructor(count: number, idAt: (place: number) => string | null) {
    this.idAt = idAt;
    this.places = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 2)));
    const mask = this.places.length - 1;
    for (let place = 0; place < count; place++) {
      const id = idAt(place);
      if (id === null) continue;
      let at = spot(id) & mask;
      while (this.places[at] !== 0) at = (at + 1) & mask;
      this.places[at] = place + 1;
    }
  }

  /** The first place of an id that is wanted; −1 where there is none. */
  find(id: string, isWanted: (place: number) => boolean = () => true): number {
    const { places } = this;
    const mask = places.length - 1;
    for (let at = spot(id) & mask; places[at] !== 0; at = (at + 1) & mask) {
      const place = places[at]! - 1;
      if (isWanted(place) && this.idAt(place) === id) return place;
    }
    return -1;
  }
}
