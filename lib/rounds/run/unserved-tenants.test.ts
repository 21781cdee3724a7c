import { expect, test } from "vitest";
import { decideRound } from "../../engine/decide-round.ts";
import { readColumns } from "../../ingest/canonical-stream.ts";
import { defaultDocuments } from "./documents.ts";
import { unservedBy, unservedIn } from "./unserved-tenants.ts";

const columnsOf = async (tenants: readonly string[]) => {
  const lines = tenants.map(
    (tenant, at) =>
      `${JSON.stringify({ req_id: `r-${at}`, tenant, arrival_ms: at, cost: 1, mode: "soft" })}\n`,
  );
  const read = await readColumns(
    (async function* () {
      yield new TextEncoder().encode(lines.join(""));
    })(),
  );
  return read.columns;
};

const { contract, policy: templated } = defaultDocuments();
const listed = { ...templated.tenants[0]!, tenant: "listed" };

test("requests of tenants that no entry names are counted apart from those that are denied", async () => {
  const columns = await columnsOf(["nobody", "listed", "nobody", "__proto__", "barred"]);
  const denying = { tenants: [listed], denylist: ["barred", "denied-but-absent"] };
  const expected = {
    unknown: { requests: 3, tenants: 2 },
    denylisted: { requests: 1, tenants: 1 },
  };
  expect(unservedBy(columns, denying)).toEqual(expected);
  expect(unservedIn(columns, decideRound(contract, denying, columns))).toEqual(expected);
});

test("where a template serves everybody else, only the denied are not served", async () => {
  const columns = await columnsOf(["nobody", "barred", "barred"]);
  const denying = { tenants: [listed, { ...listed, tenant: "*" }], denylist: ["barred"] };
  const expected = { unknown: { requests: 0, tenants: 0 }, denylisted: { requests: 2, tenants: 1 } };
  expect(unservedBy(columns, denying)).toEqual(expected);
  expect(unservedIn(columns, decideRound(contract, denying, columns))).toEqual(expected);
});
