/**
 * Makes a round of any size: a canonical stream (§1.3), and the contract and policy to decide it by.
 *
 *     node scripts/make-stream.ts --out DIR [--requests N] [--tenants N] [--span-ms N] [--order arrival|shuffled]
 *
 * The same arguments make the same bytes. Ids come in no order; arrivals as a busy log has them, a little out of order.
 */
import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { makeRound } from "../lib/rounds/trials/made-round.ts";

const number = (name: string, text: string): number => {
  if (!/^[1-9][0-9]{0,10}$/.test(text))
    throw new Error(`--${name} is ${JSON.stringify(text)}; expected a whole number`);
  return Number(text);
};

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    requests: { type: "string", default: "1000000" },
    tenants: { type: "string", default: "1000" },
    "span-ms": { type: "string", default: "3600000" },
    order: { type: "string", default: "arrival" },
  },
});
if (values.out === undefined) throw new Error("--out must name a folder");
if (values.order !== "arrival" && values.order !== "shuffled")
  throw new Error(`--order is ${JSON.stringify(values.order)}; expected arrival or shuffled`);
await mkdir(values.out, { recursive: true });
const files = await makeRound(values.out, {
  requests: number("requests", values.requests),
  tenants: number("tenants", values.tenants),
  span_ms: number("span-ms", values["span-ms"]),
  order: values.order,
});
process.stdout.write(`${JSON.stringify(files)}\n`);
