import { expect, test } from "vitest";
import type { RoundPhase, RoundProgress } from "../../contract/round-view.ts";
import { roundStateIn } from "./built-service.ts";
import { type Look, progressTruth, stretches } from "./round-watch.ts";

const progress = (
  phase: RoundPhase,
  done: number,
  started_at_ms: number,
  past: RoundProgress["past"],
  total: number | null = 100,
): RoundProgress => ({ phase, done, total, unit: "requests", started_at_ms, past });
const look = (at_ms: number, told: RoundProgress | null, state = "running"): Look => ({
  ...{ at_ms, state, progress: told, page_ms: 1, list_ms: 1 },
});

const READ = { phase: "read" as const, took_ms: 1500 };
const LOOKS = [
  look(1000, progress("read", 50, 500, [])),
  look(2000, progress("decide", 0, 2000, [READ])),
  look(3000, progress("decide", 25, 2000, [READ])),
  look(4000, progress("decide", 25, 2000, [READ])),
  look(5000, progress("decide", 10, 2000, [READ])),
  look(6000, null),
  look(7000, null, "done"),
];

test("phases are told from the round's own clock, and end with what the server does", () => {
  expect(stretches(LOOKS)).toEqual([
    { name: "read", from_ms: 500, to_ms: 2000 },
    { name: "decide", from_ms: 2000, to_ms: 5000 },
    { name: "keep", from_ms: 5000, to_ms: 7000 },
  ]);
  expect(stretches([look(1000, null, "refused")])).toEqual([]);
});

test("progress that goes back, stands still or is far from the time is found", () => {
  const [read, decide] = progressTruth(LOOKS);
  expect(read).toEqual({ phase: "read", looks: 1, back: 0, still_ms: 0, apart: 0.5 - 1 / 3 });
  expect(decide).toEqual({ phase: "decide", looks: 4, back: 1, still_ms: 1000, apart: 0.9 });
});

test("a phase without a total claims no part of it", () => {
  const looks = [look(1000, progress("probe", 0, 900, [], null)), look(2000, null, "done")];
  expect(progressTruth(looks)).toMatchObject([{ phase: "probe", apart: null }]);
});

test("a round's state is read from the page's data, with its progress where it has one", () => {
  const told = progress("store", 3, 10, [READ]);
  const page = (round: object) => `1:I[1,[],""]\n5:["$","div",null,{"round":${JSON.stringify(round)}}]\n`;
  expect(roundStateIn(page({ id: "x", state: "running", progress: told }))).toEqual({
    state: "running",
    progress: told,
  });
  expect(roundStateIn(page({ state: "done", progress: null }))).toEqual({ state: "done", progress: null });
  expect(() => roundStateIn("an error")).toThrow("tells of no round");
});
