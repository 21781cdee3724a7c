// npm run bench: rates as ratios to a peer or a floor that is measured in the same run.
import { globSync } from "node:fs";
import { pathToFileURL } from "node:url";

const wanted = process.argv[2] ?? "";
const files = globSync("lib/**/*.bench.ts")
  .filter((file) => file.includes(wanted))
  .sort();
if (files.length === 0) {
  console.error(`no benchmark matches ${JSON.stringify(wanted)}`);
  process.exit(1);
}
for (const file of files) {
  const { bench } = (await import(pathToFileURL(file).href)) as { bench: () => Promise<string[]> };
  console.log(`\n${file}`);
  for (const row of await bench()) console.log(`  ${row}`);
}
