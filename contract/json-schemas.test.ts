import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { jsonSchemas } from "./json-schemas.ts";

test.each([...jsonSchemas()])(
  "public/schemas/%s is what the zod schema says (npm run schemas)",
  (name, schema) => {
    const text = readFileSync(new URL(`../public/schemas/${name}`, import.meta.url), "utf8");
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(schema)));
  },
);

test("a decimal is a JSON number with its range, not anything", () => {
  const contract = jsonSchemas().get("contract.schema.json") as {
    properties: Record<string, unknown>;
    required: string[];
  };
  expect(contract.properties.total_ceiling_per_sec).toMatchObject({ type: "number", exclusiveMinimum: 0 });
  expect(contract.properties.epoch_ms).toMatchObject({ type: "integer", minimum: 1, maximum: 86_400_000 });
});
