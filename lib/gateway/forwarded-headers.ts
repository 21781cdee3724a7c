import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { OriginalRequest } from "./original-request.ts";

/** Headers of one connection alone (RFC 9110 §7.6.1); `te: trailers` is kept apart, since gRPC asks for it. */
const HOP_BY_HOP = [
  "connection",
  "proxy-connection",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "proxy-authenticate",
  "proxy-authorization",
] as const;

/** What only a trusted peer may say of a client; from any other peer it is dropped, not passed on. */
const SAID_BY_PROXIES = ["forwarded", "x-real-ip", "x-forwarded-port", "x-forwarded-server"] as const;

/** Drops hop-by-hop headers, those that `Connection` names included. */
export function dropHopByHop(headers: IncomingHttpHeaders): void {
  for (const name of (headers.connection ?? "").split(",")) delete headers[name.trim().toLowerCase()];
  for (const name of HOP_BY_HOP) delete headers[name];
}

/**
 * Makes a request's headers those that the upstream is to get: hop-by-hop ones dropped, `X-Forwarded-*` true. What an
 * untrusted peer says of hops, hosts and users is replaced, so that an upstream may believe what it gets from the gate.
 * @param identity header in which a trusted proxy names its user, if there is one
 */
export function forwardHeaders(
  request: IncomingMessage,
  { peer, host, trustedPeer }: OriginalRequest,
  identity: string | null,
): void {
  const { headers } = request;
  const { upgrade, te } = headers;
  const closes = /(?:^|,)\s*close\s*(?:$|,)/i.test(headers.connection ?? "");
  const isWebSocket = upgrade?.toLowerCase() === "websocket";
  dropHopByHop(headers);
  if (isWebSocket) Object.assign(headers, { connection: "Upgrade", upgrade });
  else if (closes) headers.connection = "close";
  if (te !== undefined && /(?:^|,)\s*trailers\s*(?:$|,|;)/i.test(String(te))) headers.te = "trailers";
  if (!trustedPeer) {
    for (const name of SAID_BY_PROXIES) delete headers[name];
    if (identity !== null) delete headers[identity.toLowerCase()];
  }
  const hops = trustedPeer ? headers["x-forwarded-for"] : undefined;
  headers["x-forwarded-for"] = hops === undefined || hops === "" ? peer : `${hops}, ${peer}`;
  if (!trustedPeer || headers["x-forwarded-proto"] === undefined) headers["x-forwarded-proto"] = "http";
  if (!trustedPeer || headers["x-forwarded-host"] === undefined) headers["x-forwarded-host"] = host;
}
