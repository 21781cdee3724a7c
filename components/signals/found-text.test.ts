import { expect, test } from "vitest";
import type { SignalBoard } from "../../contract/signals.ts";
import { disagreementSentence, falseGreenSentence } from "./false-green-sentence.ts";
import { foundText } from "./found-text.ts";

const board = (claims: Record<string, "well" | "unwell">, lies: string[] = []): SignalBoard => ({
  signals: Object.entries(claims).map(([name, claim]) => ({
    name: name as SignalBoard["signals"][number]["name"],
    claim,
    evidence: "",
    grounded: true,
    lies: lies.includes(name),
  })),
  true_mismatches: 0,
  false_green: lies.length > 0,
  disagree: true,
});

test("what could not be compared is not told as a difference", () => {
  expect(foundText({ mismatches: 78, indeterminate: 0 })).toBe("78 differences");
  expect(foundText({ mismatches: 0, indeterminate: 98 })).toBe(
    "98 places that could not be compared and 0 differences",
  );
  expect(foundText({ mismatches: 1, indeterminate: 1 })).toBe(
    "1 place that could not be compared and 1 difference",
  );
});

test("a false green names who lies and what was found, apart", () => {
  expect(
    falseGreenSentence(board({ report: "well", exit: "well", probe: "unwell" }, ["report", "exit"]), {
      mismatches: 2,
      indeterminate: 98,
    }),
  ).toBe(
    "Report and exit say well; the independent recomputation found 98 places that could not be compared and 2 differences.",
  );
});

test("signals that disagree without a difference are told with the cause: the lines that were left out", () => {
  const truth = { checks: 129, mismatches: 0, indeterminate: 0 };
  expect(disagreementSentence(truth, 1)).toBe(
    "The independent recomputation found 0 differences, but 1 line of the stream was left out: the round is not clean (§5.4). Report, probe and acceptance look at what was read, and may say well.",
  );
  expect(disagreementSentence(truth, 0)).toMatch(/found 0 differences; not every signal says the same/);
  expect(disagreementSentence({ ...truth, checks: 0 }, 3)).toMatch(/could not be made/);
});
