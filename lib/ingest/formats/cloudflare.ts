import { jsonFormat } from "./json-format.ts";
import { arrivalIn } from "./stamp-unit.ts";

/** Cloudflare's Logpush: HTTP requests and firewall events. */
export const cloudflare = jsonFormat({
  id: "cloudflare",
  title: "Cloudflare Logpush",
  notes: ["The edge stamps a request when it arrives; stamps without a zone are in UTC."],
  marks: [["RayID"], ["ClientIP"], ["EdgeStartTimestamp", "Datetime"]],
  aliases: {
    time: ["EdgeStartTimestamp", "Datetime"],
    address: ["ClientIP"],
    host: ["ClientRequestHost"],
    method: ["ClientRequestMethod"],
    path: ["ClientRequestURI", "ClientRequestPath"],
    request_id: ["RayID"],
  },
  defaults: (example) => ({
    tenant: { by: "address", field: "address" },
    arrival: arrivalIn("time", example("time"), "UTC"),
  }),
});
