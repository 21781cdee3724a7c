/** Names under which this server is its own site; `THROTTLE_HOSTS` adds others, comma separated. */
function ownHosts(): Set<string> {
  const added = (process.env.THROTTLE_HOSTS ?? "").split(",").map((host) => host.trim().toLowerCase());
  return new Set(["127.0.0.1", "localhost", "[::1]", ...added.filter((host) => host !== "")]);
}

const withoutPort = (host: string): string => host.toLowerCase().replace(/:\d+$/, "");

function originHost(origin: string): string | null {
  try {
    return new URL(origin).host;
  } catch {
    return null;
  }
}

/**
 * Why a request is refused with 403, or null: a host this server does not go by (a rebound name), or a write that
 * another site sent. Reads are not refused: they change nothing, and their answers stay unreadable to other sites.
 */
export function refusal(method: string, headers: { get(name: string): string | null }): string | null {
  const host = headers.get("host") ?? "";
  if (!ownHosts().has(withoutPort(host)))
    return `This server does not go by the name ${host}. Set THROTTLE_HOSTS to allow it.`;
  if (method === "GET" || method === "HEAD" || method === "OPTIONS") return null;
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none")
    return "A write from another site is refused.";
  const origin = headers.get("origin");
  if (origin !== null && originHost(origin) !== host.toLowerCase())
    return "A write from another site is refused.";
  return null;
}
