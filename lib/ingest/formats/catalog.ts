import type { FormatId } from "../../../contract/log-formats.ts";
import { apiGateway } from "./api-gateway.ts";
import { awsAlb } from "./aws-alb.ts";
import { caddy } from "./caddy.ts";
import { cloudflare } from "./cloudflare.ts";
import { commonLog, nginxFormat } from "./common-log.ts";
import { csv } from "./csv.ts";
import { envoy } from "./envoy.ts";
import type { Format } from "./format.ts";
import { gcpLoadBalancer } from "./gcp-load-balancer.ts";
import { haproxy } from "./haproxy.ts";
import { jsonLines } from "./json-lines.ts";
import { kong } from "./kong.ts";
import { traefik } from "./traefik.ts";
import { cloudfront, w3c } from "./w3c.ts";

/** Every format of logs that has a mapping; where two read a log equally well, the first is taken. */
export const FORMATS: readonly Format[] = [
  caddy,
  cloudflare,
  kong,
  gcpLoadBalancer,
  apiGateway,
  envoy,
  traefik,
  awsAlb,
  haproxy,
  cloudfront,
  w3c,
  commonLog,
  csv,
  jsonLines,
  nginxFormat,
];

/** The format of an id; undefined for the canonical stream, which needs no mapping. */
export function formatOf(id: FormatId): Format | undefined {
  return FORMATS.find((format) => format.id === id);
}
