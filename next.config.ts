import type { NextConfig } from "next";

/** Headers of every answer. The policy for scripts depends on a nonce and is set in proxy.ts. */
const SECURITY_HEADERS = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  // Links to shared rounds are secrets: they must not travel in a Referer.
  { key: "Referrer-Policy", value: "no-referrer" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=()" },
];

/** What a secret link shows is nothing for a search engine. */
const NOT_INDEXED = { key: "X-Robots-Tag", value: "noindex, nofollow" };

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: [
    "@duckdb/node-api",
    "@duckdb/node-bindings",
    "better-sqlite3",
    "httpxy",
    "ioredis",
    "jose",
    "kysely",
    "prom-client",
    "re2js",
  ],
  // The round's processes run the sources themselves; types are checked by `npm run typecheck`.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    optimizePackageImports: ["@mantine/core", "@mantine/hooks", "@tabler/icons-react"],
    serverActions: { bodySizeLimit: "64mb" },
    // The proxy would cut a body at 10 MB: a contract and a policy may have 16 MiB each.
    proxyClientMaxBodySize: "64mb",
  },
  headers: async () => [
    { source: "/:path*", headers: SECURITY_HEADERS },
    ...["/share/:path*", "/api/share/:path*"].map((source) => ({ source, headers: [NOT_INDEXED] })),
  ],
};

export default config;
