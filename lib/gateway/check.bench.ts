import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { findNginx } from "../../scripts/find-nginx.js";
import { GateProcess } from "./gate-process.ts";

const SECONDS = 1;
const REPEATS = 9;
const CONNECTIONS = 32;
/** Requests a connection has under way: fewer calls a request on both sides, so that the asker is not what is measured. */
const PIPELINING = 4;
/** As many a second as no run reaches: what is measured is an admission, not a refusal. */
const PLENTY = 100_000_000;

const BARE = `require("node:http").createServer((request, response) => response.writeHead(200, ["Content-Length", "0"]).end())
  .listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;

/** Something that answers, in a process of its own. */
interface Peer {
  readonly name: string;
  readonly url: string;
  readonly process: ChildProcess;
  /** Processes that do the work. */
  readonly pids: () => Promise<number[]>;
}

const CLIENTS = 256;
const HEADERS = {
  "x-forwarded-method": "GET",
  "x-forwarded-host": "a.example",
  "x-forwarded-uri": "/api/orders?id=7",
};
const clients = Array.from({ length: CLIENTS }, (_, index) => ({
  headers: { ...HEADERS, "x-forwarded-for": `10.0.${index}.7` },
}));

async function startBare(): Promise<Peer> {
  const child = spawn(process.execPath, ["-e", BARE], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout!, "data")) as [Buffer];
  const url = `http://127.0.0.1:${Number(port)}/check`;
  return { name: "a bare Node server that answers 200", url, process: child, pids: async () => [child.pid!] };
}

async function startGate(folder: string, rules: number): Promise<Peer> {
  const config = join(folder, `gate-${rules}.json`);
  const list = Array.from({ length: rules }, (_, index) => ({
    id: `r${index}`,
    path: "^/api/",
    requests: PLENTY,
    per: "1s",
  }));
  const services = [{ name: "api", path: "^/api/", auth: "off", price: 0, rules: list }];
  await writeFile(config, JSON.stringify({ services, trusted_proxies: ["127.0.0.0/8"] }));
  const { url, child } = await GateProcess.start(["--config", config], join(folder, `data-${rules}`));
  const name = `gate, /check, ${rules} ${rules === 1 ? "rule" : "rules"}`;
  return { name, url: `${url}/check`, process: child, pids: async () => [child.pid!] };
}

async function startNginx(folder: string): Promise<Peer | null> {
  const nginx = findNginx();
  if (nginx === undefined) return null;
  const port = 20_000 + (process.pid % 20_000);
  const conf = join(folder, "nginx.conf");
  await writeFile(
    conf,
    `daemon off; user ${userInfo().username}; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log crit;
events { worker_connections 256; }
http { access_log off;
  client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  keepalive_requests 100000000;
  limit_req_zone $http_x_forwarded_for zone=z:10m rate=1000000r/s;
  server { listen 127.0.0.1:${port}; location / { limit_req zone=z burst=1000000 nodelay; root ${folder}/html; try_files /ok =404; } } }`,
  );
  await mkdir(join(folder, "html"));
  await writeFile(join(folder, "html", "ok"), "");
  const child = spawn(nginx, ["-p", folder, "-c", conf], { stdio: ["ignore", "ignore", "ignore"] });
  const url = `http://127.0.0.1:${port}/check`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const pids = async () => {
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
    return children.trim().split(" ").map(Number);
  };
  return { name: "nginx, limit_req", url, process: child, pids };
}

/** Processor time that processes have used, in clock ticks. */
async function ticksOf(pids: number[]): Promise<number> {
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8")));
  return stats.reduce((sum, stat) => {
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return sum + Number(fields[11]) + Number(fields[12]);
  }, 0);
}

interface Figures {
  rate: number;
  p99_ms: number;
  /** Processor time of the server for one request, microseconds. */
  cpu_us: number;
}

async function measure({ url, pids }: Peer): Promise<Figures> {
  const before = await ticksOf(await pids());
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    pipelining: PIPELINING,
    duration: SECONDS,
    requests: clients,
  });
  const ticks = (await ticksOf(await pids())) - before;
  if (result.non2xx + result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  const { total } = result.requests;
  return { rate: result.requests.average, p99_ms: result.latency.p99, cpu_us: (ticks * 10_000) / total };
}

/** The best of many short runs of each, taken in turns, so that moments in which the machine is busy count for nobody. */
async function measureAll(peers: Peer[]): Promise<Figures[]> {
  const best = peers.map((): Figures => ({ rate: 0, p99_ms: Infinity, cpu_us: Infinity }));
  for (let repeat = 0; repeat < REPEATS; repeat += 1)
    for (const [index, peer] of peers.entries()) {
      const found = await measure(peer);
      const kept = best[index]!;
      kept.rate = Math.max(kept.rate, found.rate);
      kept.p99_ms = Math.min(kept.p99_ms, found.p99_ms);
      kept.cpu_us = Math.min(kept.cpu_us, found.cpu_us);
    }
  return best;
}

function row(name: string, { rate, p99_ms, cpu_us }: Figures, bare: Figures): string {
  const ratios =
    rate === bare.rate
      ? ""
      : `; × ${(rate / bare.rate).toFixed(2)} of the bare server's rate, × ${(cpu_us / bare.cpu_us).toFixed(2)} of its processor time`;
  return `${name}: ${Math.round(rate)} answers/s, p99 ${p99_ms} ms, ${cpu_us.toFixed(1)} µs of processor each${ratios}`;
}

/** `/check` over loopback beside a bare Node server and beside nginx's own limiter, in one run. One line each. */
export async function bench(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "gate-bench-"));
  const peers: Peer[] = [];
  try {
    peers.push(await startBare(), await startGate(folder, 1), await startGate(folder, 3));
    const nginx = await startNginx(folder);
    if (nginx !== null) peers.push(nginx);
    const best = await measureAll(peers);
    return peers.map(({ name }, index) => row(name, best[index]!, best[0]!));
  } finally {
    for (const peer of peers) peer.process.kill("SIGTERM");
    await Promise.all(peers.map(({ process }) => process.exitCode ?? once(process, "exit")));
    await rm(folder, { recursive: true, force: true });
  }
}
