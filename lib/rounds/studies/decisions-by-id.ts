import { PlacesById } from "../../../contract/places-by-id.ts";
import type { Decision } from "../../../contract/report.ts";
import type { Rows } from "../../../contract/rows.ts";

/** Decisions that are taken by their ids, each once. As long as they are asked for in their own order nothing is looked up. */
export class DecisionsById {
  private readonly rows: Rows<Decision>;
  private readonly isTaken: Uint8Array;
  private places: PlacesById | null = null;
  /** By the first place of an id that was found taken: where the next search begins, −1 where all of them are taken. */
  private readonly reached = new Map<number, number>();
  /** Behind the one that was taken last. */
  private next = 0;

  constructor(rows: Rows<Decision>) {
    this.rows = rows;
    this.isTaken = new Uint8Array(rows.length);
  }

  /** A decision of an id that was not taken yet, of several the next one; null where there is none. */
  take(id: string): Decision | null {
    const place = this.isLeft(this.next) && this.idAt(this.next) === id ? this.next : this.search(id);
    if (place < 0) return null;
    this.isTaken[place] = 1;
    this.next = place + 1;
    return this.rows.at(place)!;
  }

  /** Those that nobody took, in their order. */
  *rest(): Generator<Decision> {
    for (let place = 0; place < this.rows.length; place++) if (this.isLeft(place)) yield this.rows.at(place)!;
  }

  private isLeft(place: number): boolean {
    return this.isTaken[place] === 0;
  }

  private idAt(place: number): string {
    return this.rows.at(place)!.req_id;
  }

  private search(id: string): number {
    this.places ??= new PlacesById(this.rows.length, (place) => this.idAt(place));
    const first = this.places.find(id);
    let place = this.reached.get(first) ?? first;
    while (place >= 0 && !this.isLeft(place)) place = this.places.after(place);
    if (place !== first) this.reached.set(first, place);
    return place;
  }
}
