#!/usr/bin/env node
// Says which Node it wants before anything is loaded that an older one cannot read.
const major = Number(process.versions.node.split(".")[0]);
if (major !== 24) {
  console.error(
    `throttle wants Node 24, this is ${process.version}. Run it by \`npm run -s throttle -- …\`, which brings its own.`,
  );
  process.exit(3);
}
const { main } = await import("../lib/cli/main.ts");
process.exitCode = await main(process.argv.slice(2));
