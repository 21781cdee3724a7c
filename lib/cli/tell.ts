/** Characters that a terminal does not show, or obeys: controls, and those that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A text as a terminal may show it: what would not be seen, or would be obeyed, stands as its escape. */
export const seen = (text: string): string =>
  text.replace(UNSEEN, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`,
  );

/** Says something to people, on stderr. File names and names from input are in it. */
export function tellPeople(message: string): void {
  console.error(seen(message));
}
