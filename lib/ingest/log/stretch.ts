import type { InputProblem } from "../../../contract/input.ts";
import type { ArrivalMapping } from "../../../contract/mapping.ts";
import { type Instant, isBefore } from "./imported-line.ts";
import { isoText, stampReader } from "./stamp.ts";

/** A moment of the mapping itself; a text is why it is none. */
const readMoment = stampReader({ field: "", unit: "iso" });

/** What is wrong with a mapping's stretch of time. */
export function stretchProblems({ from, to }: ArrivalMapping, file: string): InputProblem[] {
  const problems: InputProblem[] = [];
  const read = (path: string, text: string | undefined): Instant | null => {
    const found = text === undefined ? null : readMoment(text);
    if (typeof found !== "string") return found;
    problems.push({
      file,
      path,
      message: `${found}; expected a stamp with its zone, such as 2026-10-25T10:00:00Z`,
    });
    return null;
  };
  const [first, end] = [read("arrival.from", from), read("arrival.to", to)];
  if (first !== null && end !== null && !isBefore(first, end))
    problems.push({
      file,
      path: "arrival.to",
      message: "is no later than arrival.from; expected a later moment",
    });
  return problems;
}

/**
 * Whether a moment is in the stretch that a mapping states: null, or why it is not.
 * @param arrival a mapping's without `stretchProblems`
 */
export function outsideStretch({ from, to }: ArrivalMapping): (at: Instant) => string | null {
  const moment = (text: string | undefined) => (text === undefined ? null : (readMoment(text) as Instant));
  const [first, end] = [moment(from), moment(to)];
  const stretch = [first && `from ${isoText(first)}`, end && `to ${isoText(end)}`].filter(
    (part) => part !== null,
  );
  return (at) => {
    if ((first === null || !isBefore(at, first)) && (end === null || isBefore(at, end))) return null;
    return `${isoText(at)} is outside the stretch ${stretch.join(" ")}`;
  };
}
