import { jsonFormat } from "./json-format.ts";

/** Google Cloud's HTTP(S) load balancers, as Cloud Logging exports them. */
export const gcpLoadBalancer = jsonFormat({
  id: "gcp-load-balancer",
  title: "Google Cloud load balancer, JSON",
  notes: ["The load balancer stamps a request when it arrives."],
  marks: [["timestamp"], ["httpRequest.requestUrl"], ["httpRequest.remoteIp"]],
  aliases: {
    time: ["timestamp"],
    address: ["httpRequest.remoteIp"],
    method: ["httpRequest.requestMethod"],
    path: ["httpRequest.requestUrl"],
    request_id: ["insertId"],
  },
  defaults: () => ({
    tenant: { by: "address", field: "address" },
    arrival: { field: "time", unit: "iso" },
  }),
});
