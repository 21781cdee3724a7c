import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "@playwright/test";
import { build, type Rollup } from "vite";
import type { Recheck, RecheckMessage, RecheckSource } from "../../contract/recheck.ts";
import { findChromium } from "../../scripts/find-chromium.js";
import { chunked, contract, policy, REQUESTS, streamBytes } from "../reference/recompute.bench.ts";
import { recompute } from "../reference/recompute.ts";
import { nobleSha256 } from "./noble-sha256.ts";
import { recheckSource } from "./recheck-source.ts";

const RUNS = 2;

type Files = { [file in "contract" | "policy" | "stream" | "report"]: Uint8Array<ArrayBuffer> };

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** A validated document as JSON: its decimals are texts there and numbers here. */
const documentText = (value: unknown): string =>
  JSON.stringify(value, (_key, part) =>
    typeof part === "string" && /^[0-9]+(\.[0-9]+)?$/.test(part) ? Number(part) : part,
  );

function digest(bytes: Uint8Array): string {
  const hasher = nobleSha256();
  hasher.update(bytes);
  return hasher.hex();
}

/** The files of a round of a million requests whose report is right. */
async function roundFiles(): Promise<Files> {
  const stream = Uint8Array.from(streamBytes());
  const documents = { contract: bytesOf(documentText(contract)), policy: bytesOf(documentText(policy)) };
  const found = await recompute({
    contract,
    policy,
    stream: chunked(stream),
    reading: "strict",
    sha256: nobleSha256,
  });
  if (!found.ok) throw new Error("the stream of the benchmark is refused");
  const { figures, checksum, requests, skipped, stream_sha256 } = found;
  const input = {
    contract_sha256: digest(documents.contract),
    policy_sha256: digest(documents.policy),
    stream_sha256,
    requests,
    skipped,
  };
  const engine = { name: "benchmark", version: "1" };
  const report = { version: 1, engine, ok: true, ...figures, input, checksum };
  return { ...documents, stream, report: bytesOf(JSON.stringify(report)) };
}

/** A benchmark of a recheck that found something would measure something else. */
function mustAgree(recheck: Recheck): void {
  if (recheck.outcome !== "agrees" || recheck.requests !== REQUESTS)
    throw new Error(`the recheck of the benchmark came to ${JSON.stringify(recheck).slice(0, 500)}`);
}

async function inNode(files: Files): Promise<number> {
  const source: RecheckSource = {
    kind: "files",
    contract: new Blob([files.contract]),
    policy: new Blob([files.policy]),
    stream: new Blob([files.stream]),
    report: new Blob([files.report]),
    reading: "strict",
  };
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const start_ms = performance.now();
    mustAgree((await recheckSource(source, nobleSha256)).recheck);
    best = Math.min(best, performance.now() - start_ms);
  }
  return best;
}

/** The worker as one script, made of the very sources that Node runs. */
async function workerScript(): Promise<string> {
  const made = (await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: false,
      target: "esnext",
      lib: { entry: "lib/recheck/recheck-worker.ts", formats: ["es"], fileName: "worker" },
    },
  })) as Rollup.RollupOutput[];
  return made[0]!.output[0].code;
}

async function serve(files: Files): Promise<{ server: Server; url: string }> {
  const script = await workerScript();
  const pages = new Map<string, [type: string, body: string | Uint8Array]>([
    ["/", ["text/html", "<!doctype html><title>benchmark</title>"]],
    ["/worker.js", ["text/javascript", script]],
    ...Object.entries(files).map(
      ([name, body]) => [`/${name}`, ["application/octet-stream", body]] as [string, [string, Uint8Array]],
    ),
  ]);
  const server = createServer((request, response) => {
    const [type, body] = pages.get(request.url ?? "") ?? ["text/plain", ""];
    response.writeHead(200, { "Content-Type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** What a page of the benchmark does: fetch the files, and ask one worker after another. Runs in the browser. */
async function recheckInPage(
  runs: number,
): Promise<{ best_ms: number; longest_block_ms: number; recheck: Recheck }> {
  const blobOf = async (name: string) => (await fetch(`/${name}`)).blob();
  const files = {
    contract: await blobOf("contract"),
    policy: await blobOf("policy"),
    stream: await blobOf("stream"),
    report: await blobOf("report"),
  };
  let longest_block_ms = 0;
  let before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest_block_ms = Math.max(longest_block_ms, now - before);
    before = now;
  }, 10);
  let best_ms = Number.POSITIVE_INFINITY;
  let last: Recheck | null = null;
  for (let run = 0; run < runs; run++) {
    const worker = new Worker("/worker.js", { type: "module" });
    const said = await new Promise<Extract<RecheckMessage, { kind: "found" }>>((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(event.message));
      worker.onmessage = ({ data }: MessageEvent<RecheckMessage>) => {
        if (data.kind === "found") resolve(data);
        if (data.kind === "failed") reject(new Error(data.message));
      };
      worker.postMessage({ kind: "recheck", source: { kind: "files", ...files, reading: "strict" } });
    });
    worker.terminate();
    best_ms = Math.min(best_ms, said.took_ms);
    last = said.recheck;
  }
  clearInterval(timer);
  if (last === null) throw new Error("no run");
  return { best_ms, longest_block_ms, recheck: last };
}

async function inChromium(
  files: Files,
  executablePath: string,
): Promise<{ best_ms: number; longest_block_ms: number }> {
  const { server, url } = await serve(files);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    const found = await page.evaluate(recheckInPage, RUNS);
    mustAgree(found.recheck);
    return found;
  } finally {
    await browser.close();
    server.close();
  }
}

const line = (name: string, ms: number, note: string): string =>
  `${name.padEnd(28)} ${(ms / 1000).toFixed(2)} s  ${Math.round((REQUESTS / ms) * 1000).toLocaleString("en")} requests/s  ${note}`;

/**
 * The recheck of a million requests of a thousand tenants, from files to the last field compared: in a worker of Chromium
 * beside the same code in Node.
 */
export async function bench(): Promise<string[]> {
  const files = await roundFiles();
  const node = await inNode(files);
  const rows = [line("recheck, Node", node, "(the peer)")];
  const executablePath = findChromium();
  if (executablePath === undefined) return [...rows, "recheck, a worker in Chromium  skipped: no chromium"];
  const { best_ms, longest_block_ms } = await inChromium(files, executablePath);
  return [
    ...rows,
    line("recheck, a worker in Chromium", best_ms, `(${(best_ms / node).toFixed(2)} × Node)`),
    `the page meanwhile            was never held up for more than ${Math.round(longest_block_ms)} ms`,
  ];
}
