/** A file that was dropped on another page, on its way to the form of a new round. */
let dropped: File | null = null;

/** Keeps a file until the form takes it. */
export function keepDroppedFile(file: File): void {
  dropped = file;
}

/** The file that was dropped, once; null where there is none. */
export function takeDroppedFile(): File | null {
  const file = dropped;
  dropped = null;
  return file;
}
