import { expect, test } from "vitest";
import { seen } from "./tell.ts";

test("a name neither turns a terminal's line around nor moves its cursor; lines and other scripts stay", () => {
  expect(seen("\u202Egol.exe\u001B[2J\r: é 日本\n\tnext")).toBe(
    "\\u{202E}gol.exe\\u{1B}[2J\\u{D}: é 日本\n\tnext",
  );
});
