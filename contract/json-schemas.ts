import { z } from "zod";
import { bundleManifestSchema } from "./bundle.ts";
import { caseSchema } from "./case.ts";
import { contractSchema } from "./contract.ts";
import { healthResultSchema } from "./health.ts";
import { mappingSchema } from "./mapping.ts";
import { policySchema } from "./policy.ts";
import { reportSchema } from "./report.ts";
import { requestSchema } from "./request.ts";

const SCHEMAS = {
  contract: contractSchema,
  policy: policySchema,
  request: requestSchema,
  report: reportSchema,
  health: healthResultSchema,
  case: caseSchema,
  bundle: bundleManifestSchema,
  mapping: mappingSchema,
};

/** The JSON Schema of each noun, for other programs: what the zod schemas take in. Keys are file names. */
export function jsonSchemas(): Map<string, unknown> {
  return new Map(
    Object.entries(SCHEMAS).map(([name, schema]) => [
      `${name}.schema.json`,
      { title: name, ...z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) },
    ]),
  );
}
