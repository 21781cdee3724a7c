import { Level } from "../bucket.ts";
import { limitOf, type Rule } from "../snapshot.ts";

/** What a script says of a bucket: amount, unit, and where limits differ or are asked for: index, requests, per, burst, id. */
const SHOWN = /^(\d+) (\d+)(?: (\d+) (\d+) (\d+) (\d+)(?: (.*))?)?$/s;

/** What a script said of a bucket, with its rule: `ruleOf` finds the one that is known here, by id where it was told. */
export function levelFrom(shown: string, ruleOf: (id: string | undefined) => Rule): Level {
  const [, amount, unit, index, requests, per_ms, burst, id] = SHOWN.exec(shown) as unknown as string[];
  const known = ruleOf(id);
  const rule =
    index === undefined
      ? known
      : { ...known, index: Number(index), ...limitOf(Number(requests), Number(per_ms), Number(burst)) };
  return rule.wide === null && Number(unit) === rule.per_ms
    ? new Level(rule, Number(amount), rule.per_ms)
    : new Level(rule, BigInt(amount!), BigInt(unit!));
}

/** A rule of which nothing is known here but its name: another process has published it just now. */
export const unknownRule = (id: string): Rule => ({
  id,
  index: 0,
  pattern: "",
  fits: () => false,
  ...limitOf(1, 1, 1),
});
