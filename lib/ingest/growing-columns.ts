/** A typed array with room for `capacity` entries that holds what the other one does. */
export function grown<T extends Uint8Array | Uint32Array | Float64Array>(column: T, capacity: number): T {
  const larger = new (column.constructor as new (length: number) => T)(capacity);
  larger.set(column);
  return larger;
}

/** The next capacity: half as much again, so that what is copied stays below what is kept. */
export const nextCapacity = (capacity: number): number => Math.ceil(capacity * 1.5);
