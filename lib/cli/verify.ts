import { verifyRun } from "../rounds/trials/verify-run.ts";

/** `verify`: the acceptance run on the scenario (§7). 0 where every criterion holds, else 1. */
export async function verifyVerb(): Promise<number> {
  const results = await verifyRun();
  for (const { group, clause, title, holds, detail } of results)
    console.log(
      `${holds ? "PASS" : "FAIL"} [${group}] ${title} (${clause})${detail === "" ? "" : `: ${detail}`}`,
    );
  const passed = results.filter(({ holds }) => holds).length;
  const failed = results.length - passed;
  console.log(`PASS=${passed} FAIL=${failed}`);
  const isWell = failed === 0 && passed > 0;
  console.log(`RESULT: ${isWell ? "OK" : "BAD"}`);
  return isWell ? 0 : 1;
}
