// Apart from the schemas, so that a page that lists them ships no parser.

/** Formats of logs that are read (what each is, is told by `lib/ingest/formats`). */
export const FORMAT_IDS = [
  "canonical",
  "json-lines",
  "csv",
  "combined",
  "nginx",
  "envoy",
  "traefik",
  "caddy",
  "aws-alb",
  "cloudfront",
  "api-gateway",
  "gcp-load-balancer",
  "cloudflare",
  "kong",
  "haproxy",
  "w3c",
] as const;
export type FormatId = (typeof FORMAT_IDS)[number];
