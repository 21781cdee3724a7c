import type { GateConfig, GateRule, GateService } from "../../../contract/gate-config.ts";

/** Whether an RE2 expression matches anywhere in a text; handed in, since the reference knows no library. */
export type Matches = (expression: string, text: string) => boolean;

/** Bytes of UTF-8 as text, or null where they are none. */
function utf8(bytes: number[]): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

/**
 * Escapes decoded once (G2). An escape that is no two hex digits, or whose byte belongs to no UTF-8 character, is bad
 * and stays as it is.
 */
function decodedOnce(text: string): string {
  let decoded = "";
  let at = 0;
  while (at < text.length) {
    const escaped = /%[0-9a-fA-F]{2}/.exec(text.slice(at, at + 3));
    if (escaped === null) {
      decoded += text[at]!;
      at += 1;
      continue;
    }
    const first = Number.parseInt(text.slice(at + 1, at + 3), 16);
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const run = text.slice(at, at + 3 * length);
    const bytes = /^(%[0-9a-fA-F]{2})+$/.test(run)
      ? run
          .slice(1)
          .split("%")
          .map((pair) => Number.parseInt(pair, 16))
      : [];
    const character = bytes.length === length ? utf8(bytes) : null;
    decoded += character ?? text.slice(at, at + 3);
    at += character === null ? 3 : 3 * length;
  }
  return decoded;
}

/** The path that is matched and shown (G2), from the path as it came. */
export function normalPath(path: string): string {
  const plain = decodedOnce(path.replace(/[?#].*/s, ""));
  const collapsed = `/${plain}`.replace(/\/+/g, "/");
  const kept: string[] = [];
  const segments = collapsed.slice(1).split("/");
  for (const [index, segment] of segments.entries()) {
    const dots = segment === "." || segment === "..";
    if (segment === "..") kept.pop();
    if (!dots) kept.push(segment);
    else if (index === segments.length - 1) kept.push("");
  }
  return `/${kept.join("/")}`;
}

/** In lower case, without port (G1); what stands in brackets is an address. */
export function normalHost(host: string): string {
  return host.toLowerCase().replace(/^(\[[^\]]*\]|[^:[][^:]*|):[0-9]*$/, "$1");
}

/** The first service that matches, and its rules that match, in order (G1, G2); null: none serves the request. */
export function route(
  config: GateConfig,
  request: { host?: string | undefined; path: string },
  matches: Matches,
): { service: GateService; rules: GateRule[] } | null {
  const host = normalHost(request.host ?? "");
  const path = normalPath(request.path);
  const fits = (expression: string | undefined, text: string) =>
    expression === undefined || matches(expression, text);
  const service = config.services.find((one) => fits(one.host, host) && fits(one.path, path));
  return service === undefined
    ? null
    : { service, rules: service.rules.filter((rule) => fits(rule.path, path)) };
}
