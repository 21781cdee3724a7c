/**
 * Measures how the built service answers while a large round runs in it, without a browser: it uploads, submits, reads
 * the round's page and the list every second as a page does, then opens every view of that round while another one runs,
 * and cancels that. `next build` comes first.
 *
 *     node scripts/service-trial.ts [--requests N] [--port N] [--folder DIR] [--cancel-in PHASE] [--only-round]
 *
 * A folder that is named is kept, and the stream that was made in it is taken again.
 * Printed per phase: how late the service's event loop came to what was due (as `scripts/event-loop-delay.js` tells),
 * which part of the time its main thread ran or waited for a core, and how long pages took.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeRound } from "../lib/rounds/trials/made-round.ts";
import { BuiltService } from "./service-trial/built-service.ts";
import { type DelayLine, loopDelay, readDelayLog } from "./service-trial/delay-log.ts";
import { type Look, progressTruth, stretches, watch } from "./service-trial/round-watch.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000000" },
    port: { type: "string", default: "3160" },
    folder: { type: "string" },
    "only-round": { type: "boolean", default: false },
    "cancel-in": { type: "string", default: "store" },
  },
});

/** Pages and rows of a finished round that its views ask for. */
const VIEWS = [
  "",
  "/buckets",
  "/buckets?tenant=tenant-7",
  "/dispatch",
  "/breaches",
  "/diff",
  "/checks",
  "/inputs",
] as const;
const ROWS = [
  "/decisions?limit=100",
  "/decisions?verdict=queued&limit=100",
  "/decisions?sort=wait&dir=desc&limit=100",
  "/decisions?sort=arrival&limit=100&offset=500000",
  "/decisions?search=99&limit=100",
  "/places?limit=100",
] as const;

const whole = (ms: number) => ms.toFixed(0).padStart(6);
const percent = (part: number) => `${(100 * part).toFixed(0)}%`.padStart(5);
const atPart = (times: readonly number[], part: number): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * part) - 1] ?? Number.NaN;
const timesText = (times: readonly number[]) =>
  times.length === 0
    ? ""
    : `${whole(atPart(times, 0.5))}${whole(atPart(times, 0.99))}${whole(Math.max(...times))}`;
const load = () => loadavg()[0]!.toFixed(1);

/** A line about a while: the loop's delays, then how long pages took. */
function line(
  name: string,
  lines: readonly DelayLine[],
  from_ms: number,
  to_ms: number,
  looks: Look[],
): string {
  const delay = loopDelay(lines, from_ms, to_ms);
  const within = looks.filter(({ at_ms }) => at_ms > from_ms && at_ms <= to_ms);
  const told =
    delay === null
      ? "(too short)"
      : [
          `${whole(delay.p50_ms)}${whole(delay.p99_ms)}${whole(delay.longest_ms)}`,
          `${percent(delay.ran)}${percent(delay.waited)}${percent(delay.collected)}${String(delay.disk_pages).padStart(6)}`,
        ].join("  ");
  const pages = `page ${timesText(within.map(({ page_ms }) => page_ms))}  list ${timesText(within.map(({ list_ms }) => list_ms))}`;
  return `${name.padEnd(10)}${((to_ms - from_ms) / 1000).toFixed(1).padStart(7)} s  ${told}  ${within.length > 0 ? pages : ""}`;
}

function printTimes(took: ReadonlyMap<string, readonly number[]>): void {
  for (const [name, times] of took)
    console.log(`  ${name.padEnd(50)} ${timesText(times)}  (${times.length})`);
}

/** Every file below a folder but for the database's own. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("tenantthrottle.sqlite"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Processes that a process has started and that still are (Linux; none elsewhere). */
async function childrenOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text.split(" ").filter((child) => child !== "");
}

/** Asks for every view of a finished round again and again while `isOn`; how long each took. */
async function openViews(
  service: BuiltService,
  id: string,
  isOn: () => boolean,
): Promise<Map<string, number[]>> {
  const took = new Map<string, number[]>();
  while (isOn())
    for (const path of [
      ...VIEWS.map((view) => `/rounds/${id}${view}`),
      ...ROWS.map((rows) => `/api/rounds/${id}${rows}`),
    ]) {
      if (!isOn()) break;
      const { took_ms } = await service.get(path);
      const name = path.split(id)[1]!;
      took.set(name, [...(took.get(name) ?? []), took_ms]);
    }
  return took;
}

const AT_LEAST_MS = 10_000;
/** After which what belongs to a while is written down by the processes. */
const WRITTEN_MS = 1000;

interface Inputs {
  stream: string;
  contract: string;
  policy: string;
}

/** What a trial is made in: inputs that are made once, and what the service keeps and tells, from before or none. */
async function laidOut(folder: string): Promise<{ inputs: Inputs; data: string; delays: string }> {
  const made = join(folder, "inputs");
  const [data, delays] = [join(folder, "data"), join(folder, "delays")];
  for (const path of [data, delays]) await rm(path, { recursive: true, force: true });
  await mkdir(made, { recursive: true });
  const [stream, contract, policy] = ["stream.jsonl", "contract.json", "policy.json"].map((name) =>
    join(made, name),
  ) as [string, string, string];
  if (!existsSync(stream))
    await makeRound(made, {
      requests: Number(values.requests),
      tenants: 1000,
      span_ms: 3_600_000,
      order: "arrival",
    });
  return { inputs: { stream, contract, policy }, data, delays };
}

const log = async (service: BuiltService, delays: string): Promise<DelayLine[]> => {
  await pause(WRITTEN_MS);
  return readDelayLog(delays, service.pid);
};

/** A round from its upload to its end, phase by phase; its id. */
async function roundAlone(service: BuiltService, inputs: Inputs, delays: string): Promise<string> {
  const uploading_ms = Date.now();
  const uploaded = await service.upload(inputs.stream);
  const submitting_ms = Date.now();
  const id = await service.startRound(uploaded, inputs);
  const submitted_ms = Date.now();
  const looks = await watch(service, id);
  const { at_ms: over_ms, state } = looks.at(-1)!;
  console.log(`a round of ${(uploaded.bytes / 2 ** 20).toFixed(0)} MiB: ${state}, load ${load()}`);
  const lines = await log(service, delays);
  const whiles = [
    { name: "upload", from_ms: uploading_ms, to_ms: submitting_ms },
    { name: "submit", from_ms: submitting_ms, to_ms: submitted_ms },
    ...stretches(looks),
    { name: "ALL", from_ms: submitted_ms, to_ms: over_ms },
  ];
  for (const { name, from_ms, to_ms } of whiles) console.log(line(name, lines, from_ms, to_ms, looks));
  for (const { phase, looks: count, back, still_ms, apart } of progressTruth(looks))
    console.log(
      `progress of ${phase}: ${count} looks, went back ${back} times, still for ${(still_ms / 1000).toFixed(1)} s, ${apart === null ? "no total" : `at most ${percent(apart).trim()} from the time`}`,
    );
  return id;
}

/** Opens every view of a round for a while, with nothing else to do. */
async function viewsAlone(service: BuiltService, id: string, delays: string): Promise<void> {
  const from_ms = Date.now();
  const took = await openViews(service, id, () => Date.now() - from_ms < AT_LEAST_MS);
  const to_ms = Date.now();
  console.log("views of that round, alone");
  console.log(line("views", await log(service, delays), from_ms, to_ms, []));
  printTimes(took);
}

/** Opens every view of a round while another one runs, until that is in a phase; then cancels that one. */
async function viewsBeside(
  service: BuiltService,
  id: string,
  inputs: Inputs,
  { data, delays }: { data: string; delays: string },
): Promise<void> {
  const before = new Set(await filesBelow(data));
  const second = await service.startRound(await service.upload(inputs.stream), inputs);
  const begun_ms = Date.now();
  let isOn = true;
  const opening = openViews(service, id, () => isOn);
  const looks = await watch(
    service,
    second,
    ({ progress }) => progress?.phase === values["cancel-in"] && progress.done > 0,
  );
  const cancel_ms = Date.now();
  await service.cancelRound(second);
  const took_ms = Date.now() - cancel_ms;
  const left = (await filesBelow(data)).filter((path) => !before.has(path));
  const processes = await childrenOf(service.pid);
  const { state } = await service.round(second);
  isOn = false;
  const took = await opening;
  console.log(
    `a second round, ${state} in ${looks.at(-1)!.progress?.phase ?? "no phase"}: answered after ${took_ms} ms; processes left ${processes.length}, files left ${left.length === 0 ? "none" : left.join(" ")}; load ${load()}`,
  );
  const lines = await log(service, delays);
  console.log(line("views", lines, begun_ms, cancel_ms, looks));
  printTimes(took);
  const peak = Math.max(...lines.map(({ peak_bytes }) => peak_bytes));
  console.log(`peak memory of the service ${(peak / 2 ** 20).toFixed(0)} MiB`);
}

async function trial(folder: string): Promise<void> {
  const { inputs, data, delays } = await laidOut(folder);
  const service = await BuiltService.start(data, delays, Number(values.port));
  try {
    console.log(
      `load ${load()}. Delays of the event loop: median, 99th of a hundred, longest in ms; then parts of the time that its thread ran, waited for a core, collected garbage, and pages read from the disk; page and list: the same three.`,
    );
    const id = await roundAlone(service, inputs, delays);
    if (values["only-round"]) return;
    await viewsAlone(service, id, delays);
    await viewsBeside(service, id, inputs, { data, delays });
  } finally {
    await service.stop();
  }
}

if (values.folder !== undefined) await trial(values.folder);
else {
  const folder = await mkdtemp(join(tmpdir(), "tenantthrottle-trial-"));
  try {
    await trial(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
