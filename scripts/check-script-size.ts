import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** Most compressed script, in bytes, that a page may ship at first load. */
const MOST_BYTES = 300_000;
const PORT = 3176;
const BASE = `http://127.0.0.1:${PORT}`;

const sizes = new Map<string, number>();

/** Compressed size of one script of the build. */
function sizeOf(source: string): number {
  const known = sizes.get(source);
  if (known !== undefined) return known;
  const path = join(".next", source.replace(/^\/_next\//, "").replace(/\?.*$/, ""));
  if (!existsSync(path)) throw new Error(`${source} is not in the build`);
  const size = gzipSync(readFileSync(path)).length;
  sizes.set(source, size);
  return size;
}

async function waitForServer(): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const isUp = await fetch(`${BASE}/rounds`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("the server did not start");
}

/** The scripts that a page's HTML loads, and their size together. */
async function pageScripts(path: string): Promise<number> {
  const html = await (await fetch(`${BASE}${path}`)).text();
  const sources = new Set([...html.matchAll(/<script[^>]+src="([^"]+)"/g)].map((match) => match[1]!));
  if (sources.size === 0) throw new Error(`${path} loads no script: nothing was measured`);
  return [...sources].reduce((sum, source) => sum + sizeOf(source), 0);
}

const server = spawn("next", ["start", "--hostname", "127.0.0.1", "--port", String(PORT)], {
  env: {
    ...process.env,
    NODE_ENV: "production",
    THROTTLE_DATA: mkdtempSync(join(tmpdir(), "tenantthrottle-size-")),
  },
  stdio: "ignore",
});
try {
  await waitForServer();
  const list = await (await fetch(`${BASE}/rounds`)).text();
  const round = /href="(\/rounds\/[0-9a-z]{20,})"/.exec(list)?.[1];
  if (round === undefined) throw new Error("the list of rounds links to no round");
  const tabs = ["", "/buckets", "/dispatch", "/breaches", "/diff", "/checks", "/inputs", "/start"];
  for (const path of [
    "/rounds",
    "/rounds/new",
    "/audit",
    "/faults",
    "/compare",
    "/gate",
    "/gate/edit",
    "/gate/versions",
    "/gate/audit",
    ...tabs.map((tab) => round + tab),
  ]) {
    const bytes = await pageScripts(path);
    const isSmall = bytes <= MOST_BYTES;
    console.log(
      `${isSmall ? "ok  " : "FAIL"} ${path.replace(round, "/rounds/{id}")}: ${Math.round(bytes / 1000)} kB compressed`,
    );
    if (!isSmall) process.exitCode = 1;
  }
} finally {
  server.kill();
}
