import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { auditGateVerb } from "./audit-gate.ts";
import { compareVerb } from "./compare.ts";
import { conformGateVerb, conformVerb } from "./conform.ts";
import { dryRunGateVerb } from "./dry-run-gate.ts";
import { type GateVerbOptions, gateKeyVerb, gateVerb } from "./gate.ts";
import { healthVerb } from "./health.ts";
import { importVerb } from "./import.ts";
import { negativeGateVerb, negativeVerb } from "./negative.ts";
import { withWholeFiles } from "./piped-files.ts";
import { probeVerb } from "./probe.ts";
import { probeBundleVerb } from "./probe-bundle.ts";
import { defaultFiles } from "./round-files.ts";
import { runVerb } from "./run.ts";
import { tellPeople } from "./tell.ts";
import { verifyVerb } from "./verify.ts";

/** Status of a command line that cannot be understood: nothing was judged (§5.4). */
const USAGE_STATUS = 3;

/** The options that name a round's files; the environment is asked before the scenario (§7). */
function withFiles(
  command: Command,
  files: readonly ("contract" | "policy" | "input" | "report")[],
): Command {
  const defaults = defaultFiles();
  for (const file of files)
    command.addOption(
      new Option(`--${file} <file>`, `the ${file === "input" ? "stream of requests, or a log" : file}`)
        .env(`THROTTLE_${file.toUpperCase()}`)
        .default(defaults[file], file === "report" ? "report.json in the data folder" : "the scenario's"),
    );
  return command;
}

const lenient = () =>
  new Option("--lenient", "leave bad lines out and report them, instead of refusing the stream");

/** The verbs of the live limiter's server. */
function withGate(root: Command, finish: (status: number) => void): void {
  const option = (flags: string, description: string, variable: string) =>
    new Option(flags, description).env(`THROTTLE_GATE_${variable}`);
  root
    .command("gate")
    .description(
      "run the live limiter: a reverse proxy, and a decision endpoint for proxies (until a signal)",
    )
    .addOption(option("--config <file>", "the configuration: services and rules", "CONFIG"))
    .addOption(
      option("--settings <file>", "settings of the server: places, credentials, time-outs", "SETTINGS"),
    )
    .addOption(option("--host <address>", "where services are reached (127.0.0.1)", "HOST"))
    .addOption(option("--port <port>", "where services are reached (8080)", "PORT"))
    .addOption(
      option("--admin-port <port>", "the admin interface, on this machine alone (8081)", "ADMIN_PORT"),
    )
    .addOption(
      option("--endpoints-port <port>", "/check, /metrics, … on a port of their own", "ENDPOINTS_PORT"),
    )
    .addOption(
      option("--store <url>", "a Valkey or Redis server that several gates share (redis://…)", "STORE"),
    )
    .addOption(option("--log <folder>", "write every decision down there, for `throttle audit-gate`", "LOG"))
    .addOption(
      option(
        "--data <folder>",
        "version history and admin access (gate in THROTTLE_DATA, by default data/gate)",
        "DATA",
      ),
    )
    .action(async (options: GateVerbOptions) => finish(await gateVerb(options)));
  root
    .command("gate-key")
    .description("make an API key, and the entry for the settings that knows it by its digest")
    .argument("<id>", "the client's id")
    .action((id: string) => finish(gateKeyVerb(id)));
}

/** How a log is read, for the verbs that take one. */
const withLog = (command: Command): Command =>
  command
    .addOption(lenient())
    .option("--format <format>", "read a log as this format only (absent: by its content)")
    .option("--map <file>", "the mapping of a log's fields, as JSON (absent: the one its format proposes)")
    .option("--from <stamp>", "import a log from this moment on (2026-10-25T10:00:00Z); others are problems")
    .option("--to <stamp>", "import a log up to this moment; leave the others out by --lenient");

/** All files of a round that a verb reads, and a log's mapping. */
const ROUND_FILES = ["contract", "policy", "input", "report", "map"] as const;

/** An option's value as a whole number. */
function wholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}

/** The whole command line. Each verb returns its exit status; nothing in here ends the process. */
function program(finish: (status: number) => void): Command {
  const root = new Command("throttle")
    .description(
      "Decides rounds of a multi-tenant token-bucket limiter, and checks them by an independent reference.",
    )
    .exitOverride()
    .showHelpAfterError()
    .addHelpText(
      "after",
      "\nExit statuses: 0 clean; 2 a finding, or the facts are unavailable; 3 contract or policy unavailable, or no such command line.",
    );
  withLog(withFiles(root.command("run"), ["contract", "policy", "input", "report"]))
    .description("decide a round: write the report, then check it")
    .option(
      "--fault <id>",
      "inject a known fault (repeatable)",
      (id: string, ids: string[]) => [...ids, id],
      [] as string[],
    )
    .action(async (options) =>
      finish(await withWholeFiles(options, ["contract", "policy", "input", "map"], runVerb)),
    );
  withLog(root.command("import"))
    .description("make the stream of requests from an access log (plain, gzip or zstd)")
    .argument("<file>", "the log")
    .requiredOption("--out <stream>", "where the stream is written")
    .action(async (file: string, options) =>
      finish(
        await withWholeFiles({ ...options, file }, ["file", "map"], (whole) => importVerb(whole.file, whole)),
      ),
    );
  withLog(withFiles(root.command("health"), ["contract", "policy", "input", "report"]))
    .description("recompute a round and compare a report that exists")
    .action(async (options) => finish(await withWholeFiles(options, ROUND_FILES, healthVerb)));
  withLog(withFiles(root.command("probe"), ["contract", "policy", "input", "report"]))
    .description(
      "the outside view: only contract, inputs and report (exits 0, 1, or 3 where it cannot judge; over a bundle 0, 2 or 3)",
    )
    .argument("[bundle]", "a bundle that a round's page gave away, in place of the four files")
    .action(async (bundle: string | undefined, options) =>
      finish(
        await (bundle === undefined
          ? withWholeFiles(options, ROUND_FILES, probeVerb)
          : withWholeFiles({ bundle }, ["bundle"], (whole) => probeBundleVerb(whole.bundle))),
      ),
    );
  root
    .command("compare")
    .description(
      "two rounds: which requests flip, and what else differs (exits 0 the same, 2 different, 3 unreadable)",
    )
    .argument("<a>", "a report, a bundle, or a folder with report.json, contract.json and policy.json")
    .argument("<b>", "the same of the other round")
    .option("--max-flips <n>", "exit 0 while at most so many requests have another verdict", wholeNumber)
    .action(async (a: string, b: string, options) => finish(await compareVerb(a, b, options)));
  root
    .command("verify")
    .description("the acceptance run on the scenario (exits 0 or 1)")
    .action(async () => finish(await verifyVerb()));
  root
    .command("negative")
    .description("the negative run: every known fault must be caught (exits 0 or 1)")
    .action(async () => finish(await negativeVerb()));
  root
    .command("conform")
    .description("run case files through engine and reference (a folder: every .json in it)")
    .argument("<path...>", "case files or folders of them")
    .action(async (paths: string[]) => finish(await conformVerb(paths)));
  root
    .command("conform-gate")
    .description("play gate case files on the gate and in the reference (a folder: every .json in it)")
    .argument("<path...>", "case files or folders of them")
    .addOption(
      new Option("--redis <url>", "a Redis or Valkey server: play them on the shared store too").env(
        "THROTTLE_REDIS",
      ),
    )
    .action(async (paths: string[], options) => finish(await conformGateVerb(paths, options)));
  root
    .command("negative-gate")
    .description("the gate's negative run: the audit must find every known fault in its log (exits 0 or 1)")
    .action(async () => finish(await negativeGateVerb()));
  root
    .command("audit-gate")
    .description("recompute a gate's decision log by the reference (a folder: every .jsonl in it)")
    .argument("<log...>", "files of decision logs, in the order in which they were written, or folders")
    .option(
      "--open",
      "judge a log without its closing line: it is still being written, or its gate was killed",
    )
    .option("--first <n>", "most differences that are told in full", Number, 20)
    .action(async (paths: string[], options) =>
      finish(await withWholeFiles({ paths }, ["paths"], (whole) => auditGateVerb(whole.paths, options))),
    );
  root
    .command("dry-run-gate")
    .description(
      "what a gate's configuration would have done to a recorded stretch: flips by rule and client",
    )
    .argument("<log...>", "files of decision logs, in the order in which they were written, or folders")
    .requiredOption("--config <file>", "the configuration to try")
    .option("--first <n>", "most flips and clients that are told", Number, 20)
    .action(async (paths: string[], options) =>
      finish(
        await withWholeFiles({ ...options, paths }, ["paths", "config"], (whole) =>
          dryRunGateVerb(whole.paths, whole),
        ),
      ),
    );
  withGate(root, finish);
  return root;
}

/**
 * Runs one command line and returns its exit status. Output for machines goes to stdout, for people to stderr.
 * @param args the arguments behind the program's name
 */
export async function main(args: string[]): Promise<number> {
  let status = USAGE_STATUS;
  try {
    await program((found) => {
      status = found;
    }).parseAsync(args, { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_STATUS;
    const file = error instanceof Error && "file" in error ? `${String(error.file)}: ` : "";
    tellPeople(`throttle: ${file}${error instanceof Error ? error.message : String(error)}`);
    if (process.env.THROTTLE_DEBUG && error instanceof Error) tellPeople(error.stack ?? "");
    return USAGE_STATUS;
  }
}
