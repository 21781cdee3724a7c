import { jsonFormat } from "./json-format.ts";

/** AWS API Gateway's access log, of the fields that its console proposes. */
export const apiGateway = jsonFormat({
  id: "api-gateway",
  title: "AWS API Gateway, JSON",
  notes: ["API Gateway stamps a request when it arrives."],
  marks: [["requestId"], ["requestTime", "requestTimeEpoch"], ["httpMethod", "routeKey", "resourcePath"]],
  aliases: {
    address: ["ip", "sourceIp", "identity.sourceIp"],
    method: ["httpMethod"],
    path: ["path", "resourcePath", "routeKey"],
    request_id: ["requestId"],
    key: ["apiKey", "apiKeyId", "identity.apiKey", "identity.apiKeyId"],
    host: ["domainName"],
  },
  defaults: (example) => ({
    tenant: { by: "address", field: "address" },
    arrival:
      example("requestTimeEpoch") === null
        ? { field: "requestTime", unit: "clf" }
        : { field: "requestTimeEpoch", unit: "ms" },
  }),
});
