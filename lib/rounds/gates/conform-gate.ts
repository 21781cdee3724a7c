import { isDeepStrictEqual } from "node:util";
import { RE2JS } from "re2js";
import { type GateCase, type GateCaseResult, gateCaseSchema } from "../../../contract/gate-case.ts";
import type { GateConfig } from "../../../contract/gate-config.ts";
import { issueProblems } from "../../../contract/input.ts";
import { playCaseInMemory } from "../../gate/conform-memory.ts";
import type { SharedPlayground } from "../../gate/shared/conform-shared.ts";
import { stageConfig } from "../../gate/update.ts";
import { readDocument } from "../../ingest/document.ts";
import { replayCase } from "../../reference/gate/replay.ts";
import { problemLine } from "../round-problem.ts";
import { CaseProblem } from "../trials/conform-case.ts";

/** What a case came to (G13), in the order in which it is printed. */
export interface GateConformance {
  name: string;
  memory: GateCaseResult;
  /** Null: no server to play it on. */
  shared: GateCaseResult | null;
  reference: GateCaseResult;
  /** Whether all agree with each other and, where the case tells it, with what is expected. */
  equal: boolean;
}

/** Expressions are compiled once; a case names only a few. */
function matcher(): (expression: string, text: string) => boolean {
  const compiled = new Map<string, RE2JS>();
  return (expression, text) => {
    const known = compiled.get(expression) ?? RE2JS.compile(expression);
    compiled.set(expression, known);
    return known.test(text);
  };
}

function accept(config: unknown): GateConfig | null {
  const staged = stageConfig(config);
  return staged.ok ? staged.value.config : null;
}

/** What the reference is handed: the contract's own judgement of a configuration, and RE2. */
export const referenceTools = () => ({ accept, matches: matcher() });

/** As JSON sees it: objects without a prototype are objects. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/**
 * Plays a case on the gate in memory, on a shared store where there is one, and in the reference (G13). `value` is JSON as
 * a reader hands it over. Rejects where it is no case, or where its first configuration is refused.
 */
export async function conformGateCase(
  value: unknown,
  playground: SharedPlayground | null = null,
): Promise<GateConformance> {
  const parsed = gateCaseSchema.safeParse(value);
  if (!parsed.success)
    throw new Error(
      issueProblems(parsed.error, "case")
        .map(({ path, message }) => `${path}: ${message}`)
        .join("\n"),
    );
  const { name, config, steps } = parsed.data;
  const memory = playCaseInMemory({ config, steps });
  const shared = playground === null ? null : await playground.playCase({ config, steps });
  const reference = replayCase(config, steps, referenceTools());
  const others = shared === null ? [reference] : [shared, reference];
  return { name, memory, shared, reference, equal: agree(parsed.data, memory, others) };
}

/**
 * The same for a case file's text: numbers of configurations are judged by their exact text (§1.4). Strict JSON; what
 * is none, or no case, is a `CaseProblem`.
 */
export async function conformGateText(
  text: string,
  file: string,
  playground: SharedPlayground | null = null,
): Promise<GateConformance> {
  const document = readDocument(text, file);
  if (!document.ok) throw new CaseProblem(problemLine(document.problems[0]!));
  const exact = document.value.value as { config?: unknown; steps?: { config?: unknown }[] };
  const shaped = JSON.parse(text.replace(/^\uFEFF/, ""));
  const steps = Array.isArray(shaped.steps)
    ? shaped.steps.map((step: object, index: number) =>
        Object.hasOwn(step ?? {}, "config") ? { ...step, config: exact.steps?.[index]?.config } : step,
      )
    : shaped.steps;
  try {
    return await conformGateCase({ ...shaped, config: exact.config, steps }, playground);
  } catch (error) {
    throw new CaseProblem(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function agree(
  { expected, ledger, evictions }: GateCase,
  memory: GateCaseResult,
  others: readonly GateCaseResult[],
): boolean {
  const found = plain(memory) as Record<string, unknown>;
  const told = Object.entries({ expected, ledger, evictions }).filter(([, part]) => part !== undefined);
  return (
    others.every((other) => isDeepStrictEqual(found, plain(other))) &&
    told.every(([field, part]) => isDeepStrictEqual(plain(part), found[field]))
  );
}
