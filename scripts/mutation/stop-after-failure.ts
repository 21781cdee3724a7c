import { afterEach } from "vitest";

// All files of a mutant run in one process. Once a test has failed the mutant is found, and no further file need be loaded.

const seen = globalThis as { hasFailed?: boolean };
if (seen.hasFailed) throw new Error("a test of a file before has failed: this one is not run");

afterEach(({ task }) => {
  if (task.result?.state === "fail") seen.hasFailed = true;
});
