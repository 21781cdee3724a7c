import { jsonFormat } from "./json-format.ts";

/** What Kong's log plugins write. */
export const kong = jsonFormat({
  id: "kong",
  title: "Kong, JSON",
  notes: ["Kong stamps a request when it arrives."],
  marks: [["started_at"], ["client_ip"], ["request.uri", "request.url"]],
  aliases: {
    time: ["started_at"],
    address: ["client_ip"],
    user: ["consumer.username", "consumer.custom_id", "consumer.id", "authenticated_entity.id"],
    host: ["request.headers.host"],
    method: ["request.method"],
    path: ["request.uri"],
    request_id: ["request.id"],
  },
  defaults: () => ({
    tenant: { by: "address", field: "address" },
    arrival: { field: "time", unit: "ms" },
  }),
});
