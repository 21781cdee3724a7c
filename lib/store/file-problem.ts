/** A file that could not be read or written, in words for people; never a stack trace. */
export class FileProblem extends Error {
  readonly file: string;
  constructor(file: string, message: string) {
    super(message);
    this.file = file;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "is a directory; expected a file",
  EACCES: "access to it is denied",
  EPERM: "access to it is denied",
  ELOOP: "links to itself",
  EROFS: "is on a disk that is read-only",
  EMFILE: "cannot be opened: too many files are open",
  EEXIST: "a part of its path is no directory",
  ENOTDIR: "a part of its path is no directory",
  ENAMETOOLONG: "has too long a name",
  ENOSPC: "there is no space left",
  SQLITE_FULL: "there is no space left",
};

/** Turns an error of the file system into a FileProblem; any other error is passed on as it is. */
export function asFileProblem(file: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === undefined
    ? error
    : new FileProblem(file, REASONS[code] ?? `cannot be read or written (${code})`);
}
