const NAME = "FileProblem";

/** A file that could not be read or written, in words for people; never a stack trace. */
export class FileProblem extends Error {
  readonly file: string;
  constructor(file: string, message: string) {
    super(message);
    this.name = NAME;
    this.file = file;
  }
}

/** Whether an error is one: by its name, since a server may hold a module several times. */
export const isFileProblem = (error: unknown): error is FileProblem =>
  error instanceof Error && error.name === NAME;

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
  EDQUOT: "there is no space left for this user",
  EFBIG: "a file must not become so large there",
  EIO: "the disk fails",
  SQLITE_FULL: "there is no space left",
  SQLITE_READONLY: "the database cannot be written",
  SQLITE_IOERR: "the database cannot be read or written: the disk fails, or has no space left",
  SQLITE_CANTOPEN: "the database cannot be opened",
  SQLITE_CORRUPT: "the database is damaged",
  SQLITE_BUSY: "another process holds the database",
};

/** An error of SQLite is told by its kind: SQLITE_IOERR_WRITE is an SQLITE_IOERR. */
const kindOf = (code: string): string => /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;

/** Turns an error of the file system into a FileProblem; any other error is passed on as it is. */
export function asFileProblem(file: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === undefined
    ? error
    : new FileProblem(file, REASONS[kindOf(code)] ?? `cannot be read or written (${code})`);
}
