import type {
  GateChange,
  GatePublished,
  GateRefusal,
  GateStaged,
  GateState,
  GateVersion,
  GateVersionDetail,
} from "../../contract/gate-admin.ts";
import type { InputProblem } from "../../contract/input.ts";
import { type AdminAccess, readAdminAccess } from "./admin-access.ts";

const TIMEOUT_MS = 10_000;

/** The gate refused what it was asked, with every problem. 409: the version is no longer live; 422: it is not valid. */
export class AdminRefused extends Error {
  readonly status: number;
  readonly problems: readonly InputProblem[];
  constructor(status: number, problems: readonly InputProblem[]) {
    super(problems[0]?.message ?? `the gate answered ${status}`);
    this.status = status;
    this.problems = problems;
  }
}

/** No gate answers: none was ever started there, or it does not run. */
export class AdminUnreachable extends Error {}

/** The admin interface of a running gate (contract/gate-admin.ts), for the console. Rejects as AdminRefused or AdminUnreachable. */
export class AdminClient {
  readonly #access: AdminAccess;

  constructor(access: AdminAccess) {
    this.#access = access;
  }

  /** The gate whose data folder this is. Rejects as AdminUnreachable where none was ever started. */
  static async in(data: string): Promise<AdminClient> {
    const access = await readAdminAccess(data);
    if (access === null) throw new AdminUnreachable(`no gate was ever started with its data in ${data}`);
    return new AdminClient(access);
  }

  state = (): Promise<GateState> => this.#get("/state");
  versions = (): Promise<GateVersion[]> => this.#get("/versions");
  version = (version: number): Promise<GateVersionDetail> => this.#get(`/versions/${version}`);
  diff = (from: number, to: number): Promise<GateChange[]> => this.#get(`/diff?from=${from}&to=${to}`);
  stage = (config: unknown): Promise<GateStaged> => this.#post("/stage", { config });
  publish = (config: unknown, from: number, note = ""): Promise<GatePublished> =>
    this.#post("/publish", { config, from, note });
  rollback = (to: number, from: number, note = ""): Promise<GatePublished> =>
    this.#post("/rollback", { to, from, note });

  #get<T>(path: string): Promise<T> {
    return this.#ask(path, {});
  }

  #post<T>(path: string, body: unknown): Promise<T> {
    const headers = { "content-type": "application/json" };
    return this.#ask(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async #ask<T>(path: string, request: RequestInit): Promise<T> {
    const { url, token } = this.#access;
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(url + path, { ...request, headers, signal, cache: "no-store" }).catch(
      (error) => {
        throw new AdminUnreachable(`the gate does not answer on ${url}`, { cause: error });
      },
    );
    const value: unknown = await answer.json();
    if (answer.ok) return value as T;
    throw new AdminRefused(answer.status, (value as Partial<GateRefusal>).problems ?? []);
  }
}
