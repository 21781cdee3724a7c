import { STATUS_CODES } from "node:http";
import type { GateDecision } from "../gate/decision.ts";
import { limitField, policyField, policyName, unknownLimitField } from "./rate-limit-fields.ts";

/** An answer that the gate gives itself. */
export interface Reply {
  readonly status: number;
  /** Names and values in turn, as `writeHead` takes them. */
  readonly headers: string[];
  readonly body: string;
}

/** What an answer depends on beside the decision. */
export interface ReplyContext {
  /** Whether the client speaks gRPC, and gets the answer itself. */
  readonly grpc: boolean;
  /** Challenges of the authenticators for `WWW-Authenticate`, most wanted first. */
  readonly challenges: readonly string[];
}

const QUOTA = "https://iana.org/assignments/http-problem-types#quota-exceeded";
const REDUCED = "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity";

const GRPC_EXHAUSTED = 8;
const GRPC_INTERNAL = 13;
const GRPC_UNAVAILABLE = 14;
const GRPC_UNAUTHENTICATED = 16;

/** `content-type: application/grpc`, with or without a suffix such as `+proto`. */
export const speaksGrpc = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/grpc(?:$|[+;\s])/i.test(contentType);

/** A problem (RFC 9457) as an answer. `members` come after the standard ones. */
export function problemReply(
  status: number,
  detail: string,
  members: Record<string, unknown> = {},
  headers: string[] = [],
): Reply {
  const { type = "about:blank", title = STATUS_CODES[status], ...more } = members;
  const body = JSON.stringify({ type, title, status, detail, ...more });
  const fixed = ["Content-Type", "application/problem+json", "Cache-Control", "no-store"];
  return { status, headers: [...fixed, ...headers], body };
}

/** An answer to a gRPC client: HTTP 200, the status in a header, no message ("trailers only"). */
function grpcReply(code: number, message: string, headers: string[]): Reply {
  const fields = ["Content-Type", "application/grpc", "grpc-status", String(code)];
  return {
    status: 200,
    headers: [...fields, "grpc-message", encodeURIComponent(message), ...headers],
    body: "",
  };
}

const UNDECIDED = "The request could not be decided.";

/** What is answered where nothing could be decided, for a reason that is reported: an error is 13 to gRPC (G9). */
export const undecidedReply = (grpc: boolean): Reply =>
  grpc ? grpcReply(GRPC_INTERNAL, UNDECIDED, []) : problemReply(500, UNDECIDED);

/** `Retry-After` in whole seconds, rounded up, at least 1 (G9). */
export const retryAfterSeconds = (wait_ms: number): number => Math.max(1, Math.ceil(wait_ms / 1000));

/** `RateLimit-Policy` and `RateLimit` of a request that rules matched (G9), names and values in turn. */
export function limitHeaders({ rules, levels, reason, unchecked }: GateDecision): string[] {
  if (rules.length === 0) return [];
  const isUnknown = unchecked || reason === "unavailable";
  const limit = isUnknown ? unknownLimitField(rules) : limitField(rules, levels);
  return ["RateLimit-Policy", policyField(rules), "RateLimit", limit];
}

const DETAILS = {
  rate: "Too many requests: a rate limit was reached.",
  capacity: "The limiter has no room for another client at this moment.",
  client: "The limiter cannot tell which client this is: the peer has no address.",
  unavailable: "The limiter cannot reach its store at this moment.",
} as const;

function denied(decision: GateDecision, { grpc }: ReplyContext): Reply {
  const { service, lacking, retry_after_ms } = decision;
  const reason = decision.reason!;
  const headers = limitHeaders(decision);
  if (retry_after_ms !== null) headers.push("Retry-After", String(retryAfterSeconds(retry_after_ms)));
  const away = reason === "unavailable";
  if (grpc) return grpcReply(away ? GRPC_UNAVAILABLE : GRPC_EXHAUSTED, DETAILS[reason], headers);
  const title = away
    ? "Request cannot be satisfied due to temporary server capacity constraints"
    : "Request cannot be satisfied as assigned quota has been exceeded";
  return problemReply(
    away ? 503 : 429,
    DETAILS[reason],
    {
      type: away ? REDUCED : QUOTA,
      title,
      "violated-policies": lacking.map(({ id }) => policyName(id)),
      reason,
      service: service!.name,
      ...(retry_after_ms === null ? {} : { retry_after_ms }),
    },
    headers,
  );
}

/** What asks for a credential (G7): 402 with the service's price, or 401. Either names the schemes that would do. */
function challenged(decision: GateDecision, { grpc, challenges }: ReplyContext): Reply {
  const { name, config } = decision.service!;
  const headers = limitHeaders(decision);
  for (const challenge of challenges) headers.push("WWW-Authenticate", challenge);
  if (grpc) return grpcReply(GRPC_UNAUTHENTICATED, "A valid credential is required.", headers);
  const detail =
    config.challenge === 402
      ? `This service costs ${config.price} per request; a valid credential is required.`
      : "A valid credential is required.";
  return problemReply(config.challenge, detail, { service: name, price: config.price }, headers);
}

const ALLOWED: Reply = { status: 200, headers: ["Content-Length", "0"], body: "" };

/** The gate's own answer to a decision (G9). For an allowed request: the answer where nothing is forwarded. */
export function replyTo(decision: GateDecision, context: ReplyContext): Reply {
  switch (decision.verdict) {
    case "allowed": {
      if (decision.rules.length === 0) return ALLOWED;
      const headers = limitHeaders(decision);
      headers.push("Content-Length", "0");
      return { status: 200, headers, body: "" };
    }
    case "denied":
      return denied(decision, context);
    case "challenged":
      return challenged(decision, context);
    case "unmatched":
      return problemReply(404, "No service answers for this host and path.");
    case "error": {
      const detail = "The free request could not be counted, so nothing was spent.";
      return context.grpc
        ? grpcReply(GRPC_INTERNAL, detail, limitHeaders(decision))
        : problemReply(500, detail, { service: decision.service!.name }, limitHeaders(decision));
    }
  }
}

/** The answer for nginx's auth_request, which knows 403 alone: the true status goes into a header (G9). */
export function asForbidden(reply: Reply): Reply {
  if (reply.status === 200) return reply;
  return {
    ...reply,
    status: 403,
    headers: [...reply.headers, "X-RateLimit-Status", String(reply.status)],
  };
}
