#!/usr/bin/env node
import module from "node:module";
import { fileURLToPath } from "node:url";

// Says which Node it wants before anything is loaded that an older one cannot read.
const major = Number(process.versions.node.split(".")[0]);
if (major !== 24) {
  console.error(
    `throttle wants Node 24, this is ${process.version}. Run it by \`npm run -s throttle -- …\`, which brings its own.`,
  );
  process.exit(3);
}
// What Node compiles is kept in the program's own folder, for its threads too: the next run begins in a third of the time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../.cache/compiled", import.meta.url));
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
const { main } = await import("../lib/cli/main.ts");
process.exitCode = await main(process.argv.slice(2));
