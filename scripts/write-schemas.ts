import { mkdirSync, writeFileSync } from "node:fs";
import { jsonSchemas } from "../contract/json-schemas.ts";

const folder = new URL("../public/schemas/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, schema] of jsonSchemas())
  writeFileSync(new URL(name, folder), `${JSON.stringify(schema, null, 2)}\n`);
