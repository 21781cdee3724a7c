/** A count with its noun, for people: `1 request`, `2 requests`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
