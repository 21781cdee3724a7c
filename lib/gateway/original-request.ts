import type { IncomingMessage } from "node:http";
import type { Snapshot } from "../gate/snapshot.ts";

/** The request that is to be decided, as it came to whoever is asked first. */
export interface OriginalRequest {
  readonly host: string;
  /** Path and query as they came. */
  readonly path: string;
  /** The peer of this connection. */
  readonly peer: string;
  readonly trustedPeer: boolean;
  /** The list of hops; believed only where the peer is trusted (G3). */
  readonly forwardedFor: string | undefined;
}

/** Headers of a check that contradict each other: one of them was not set by the proxy. */
export class ContradictingHeaders extends Error {}

/** Which family of headers a proxy sets; `auto`: whichever is there. */
export type HeaderFamily = "auto" | "forwarded" | "original";

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/i;

/** Host and path of a request target; an absolute one names its own host, which wins over the header (RFC 9112 §3.2.2). */
function targetOf(url: string, host: string): { host: string; path: string } {
  if (url.startsWith("/")) return { host, path: url };
  const match = ABSOLUTE.exec(url);
  if (match === null) return { host, path: url };
  const path = match[2]!.startsWith("/") ? match[2]! : `/${match[2]!}`;
  return { host: match[1]!.slice(match[1]!.lastIndexOf("@") + 1), path };
}

/** A request that came to the gate itself. */
export function ownRequest(request: IncomingMessage, { hopAt }: Snapshot): OriginalRequest {
  const peer = request.socket.remoteAddress ?? "";
  const { headers } = request;
  return {
    ...targetOf(request.url ?? "/", headers.host ?? ""),
    peer,
    trustedPeer: hopAt(peer).isTrusted,
    forwardedFor: headers["x-forwarded-for"] as string | undefined,
  };
}

function single(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name] as string | undefined;
  // Node joins what was sent twice; one of the two is then not the proxy's.
  if (value?.includes(",") && request.headersDistinct[name]!.length > 1)
    throw new ContradictingHeaders(`${name} is there twice`);
  return value === "" ? undefined : value;
}

/**
 * Refuses what the two families of headers tell differently. A client can add the headers that its proxy does not set,
 * and proxies pass unknown headers on: where both are there and differ, neither is believed.
 */
function mustAgree(forwarded: string | undefined, original: string | undefined, name: string): void {
  if (forwarded !== original)
    throw new ContradictingHeaders(`X-Forwarded-${name} and X-Original-${name} differ`);
}

/** Host and path by one family; null where it does not name the path. */
interface Told {
  readonly host: string | undefined;
  readonly path: string;
}

function toldByForwarded(request: IncomingMessage): Told | null {
  const path = single(request, "x-forwarded-uri");
  return path === undefined ? null : { host: single(request, "x-forwarded-host"), path };
}

/** nginx: `X-Original-URI`, or the whole address in `X-Original-URL`. */
function toldByOriginal(request: IncomingMessage): Told | null {
  const url = single(request, "x-original-uri") ?? single(request, "x-original-url");
  if (url === undefined) return null;
  const { host, path } = targetOf(url, "");
  return { host: single(request, "x-original-host") ?? (host === "" ? undefined : host), path };
}

function told(request: IncomingMessage, family: HeaderFamily): Told | null {
  const forwarded = family === "original" ? null : toldByForwarded(request);
  const original = family === "forwarded" ? null : toldByOriginal(request);
  if (forwarded === null || original === null) return forwarded ?? original;
  mustAgree(forwarded.path, original.path, "URI");
  mustAgree(forwarded.host, original.host, "Host");
  return forwarded;
}

/** The hops: nginx is mostly told to set `X-Forwarded-For` beside its own `X-Original-URI`, so either name will do. */
function hops({ headers }: IncomingMessage, family: HeaderFamily): string | undefined {
  const forwarded = headers["x-forwarded-for"] as string | undefined;
  const original = headers["x-original-for"] as string | undefined;
  if (family === "forwarded" || original === undefined) return forwarded;
  if (forwarded !== undefined) mustAgree(forwarded, original, "For");
  return original;
}

/**
 * The request that a proxy asks about (G9), from `X-Forwarded-Method`, `-Host`, `-Uri`, `-For` or `X-Original-*`; the
 * method decides nothing. Whom the request counts for is believed only from a trusted peer, as everywhere (G3). Host
 * and path are believed from anybody: whoever asks spends tokens of its own address or credential, and asking is all
 * that this endpoint is for. Without them the question is about this request itself.
 *
 * Throws ContradictingHeaders where the headers cannot all be the proxy's.
 */
export function checkedRequest(
  request: IncomingMessage,
  { hopAt }: Snapshot,
  family: HeaderFamily,
): OriginalRequest {
  const { headers } = request;
  const original = told(request, family);
  const peer = request.socket.remoteAddress ?? "";
  return {
    host: original?.host ?? headers.host ?? "",
    path: original?.path ?? request.url ?? "/",
    peer,
    trustedPeer: hopAt(peer).isTrusted,
    forwardedFor: hops(request, family),
  };
}
