import { jsonFormat } from "./json-format.ts";
import { arrivalIn } from "./stamp-unit.ts";

/** Caddy's access log in JSON. */
export const caddy = jsonFormat({
  id: "caddy",
  title: "Caddy, JSON",
  notes: ["Caddy stamps a request when it has been answered."],
  marks: [["ts"], ["request.uri"], ["request.method"]],
  aliases: {
    time: ["ts"],
    address: ["request.client_ip", "request.remote_ip", "request.remote_addr"],
    user: ["user_id"],
    host: ["request.host"],
    method: ["request.method"],
    path: ["request.uri"],
  },
  // Caddy writes what its other loggers say to the same place: only http.log.access, and what is below it, tells requests.
  isOther: (record) => {
    const logger = record.value("logger");
    return logger !== null && !/^http\.log\.access(\.|$)/.test(logger);
  },
  defaults: (example) => ({
    tenant: { by: "address", field: "address" },
    arrival: arrivalIn("time", example("time")),
  }),
});
