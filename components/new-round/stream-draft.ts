import type {
  FormatSpec,
  MappingDraft,
  MappingProposal,
  TenantMapping,
  TimeUnit,
} from "../../contract/mapping.ts";

/** A mapping as its form has it: texts as they are typed, empty where nothing was. */
export interface StreamDraft {
  format: FormatSpec;
  tenant: {
    by: TenantMapping["by"];
    field: string;
    v4: string;
    v6: string;
    hop: "first" | "last";
    segment: string;
    expression: string;
    missing: string;
  };
  arrival: {
    field: string;
    unit: TimeUnit | "";
    zone: string;
    repeated_hour: "" | "earlier" | "later";
    from: string;
    to: string;
  };
  cost: {
    by: "constant" | "field" | "method" | "path";
    cost: string;
    field: string;
    /** `METHOD cost` or `expression cost`, one a line. */
    rows: string;
    missing: string;
  };
  mode: { by: "constant" | "field"; mode: "soft" | "hard"; field: string; soft: string };
  req_id: { by: "line" | "field"; field: string };
}

/** A number where the text is one; the text itself otherwise, so that whoever judges it can say what it is. */
const numeric = (text: string): number | string =>
  text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
const given = <T>(key: string, text: string, value: T): Record<string, T> =>
  text === "" ? {} : { [key]: value };

const TENANT: StreamDraft["tenant"] = {
  by: "address",
  field: "",
  v4: "",
  v6: "",
  hop: "first",
  segment: "1",
  expression: "",
  missing: "",
};

const text = (value: unknown): string => (value === undefined ? "" : String(value));

function tenantDraft(tenant: MappingDraft["tenant"] | null): StreamDraft["tenant"] {
  if (tenant === null) return TENANT;
  const found: Record<string, unknown> = { ...tenant };
  return {
    ...TENANT,
    by: tenant.by,
    field: tenant.field,
    v4: text(found.v4),
    v6: text(found.v6),
    hop: found.hop === "last" ? "last" : "first",
    segment: text(found.segment ?? 1),
    expression: text(found.expression),
    missing: text(found.missing),
  };
}

function costDraft(cost: MappingDraft["cost"]): StreamDraft["cost"] {
  const empty = { by: cost.by, cost: "1", field: "", rows: "", missing: "" };
  switch (cost.by) {
    case "constant":
      return { ...empty, cost: text(cost.cost) };
    case "field":
      return { ...empty, field: cost.field, missing: text(cost.missing) };
    case "method":
      return {
        ...empty,
        field: cost.field,
        cost: text(cost.otherwise),
        rows: cost.costs.map((row) => `${row.method} ${text(row.cost)}`).join("\n"),
      };
    case "path":
      return {
        ...empty,
        field: cost.field,
        cost: text(cost.otherwise),
        rows: cost.costs.map((row) => `${row.expression} ${text(row.cost)}`).join("\n"),
      };
  }
}

/** The form of a mapping, or of one with holes. */
export function draftOf(mapping: MappingDraft | MappingProposal): StreamDraft {
  const { arrival, mode, req_id } = mapping;
  return {
    format: mapping.format,
    tenant: tenantDraft(mapping.tenant),
    arrival: {
      field: arrival?.field ?? "",
      unit: arrival?.unit ?? "",
      zone: arrival?.zone ?? "",
      repeated_hour: arrival?.repeated_hour ?? "",
      from: arrival?.from ?? "",
      to: arrival?.to ?? "",
    },
    cost: costDraft(mapping.cost),
    mode:
      mode.by === "constant"
        ? { by: "constant", mode: mode.mode, field: "", soft: "" }
        : { by: "field", mode: "soft", field: mode.field, soft: mode.soft.join(", ") },
    req_id: { by: req_id.by, field: req_id.by === "field" ? req_id.field : "" },
  };
}

/** A line of costs: what stands before its last space, and the cost behind. */
function costRow(line: string): [string, number | string] {
  const trimmed = line.trim();
  const space = trimmed.lastIndexOf(" ");
  return [trimmed.slice(0, Math.max(space, 0)).trim(), numeric(trimmed.slice(space + 1))];
}

function costOf({ by, cost, field, rows, missing }: StreamDraft["cost"]): unknown {
  const lines = rows.split("\n").filter((line) => line.trim() !== "");
  if (by === "constant") return { by, cost: numeric(cost) };
  if (by === "field") return { by, field, ...given("missing", missing, numeric(missing)) };
  const key = by === "method" ? "method" : "expression";
  const costs = lines.map(costRow).map(([what, price]) => ({ [key]: what, cost: price }));
  return { by, field, costs, otherwise: numeric(cost) };
}

function tenantOf({ by, field, v4, v6, hop, segment, expression, missing }: StreamDraft["tenant"]): unknown {
  return {
    by,
    field,
    ...(by === "address"
      ? {
          ...given("v4", v4, numeric(v4)),
          ...given("v6", v6, numeric(v6)),
          ...(hop === "last" ? { hop } : {}),
        }
      : {}),
    ...(by === "path-segment" ? { segment: numeric(segment) } : {}),
    ...(by === "capture" ? { expression } : {}),
    ...given("missing", missing, missing),
  };
}

/** The mapping that a form states; the server judges it. */
export function mappingOf({ format, tenant, arrival, cost, mode, req_id }: StreamDraft): unknown {
  return {
    version: 1,
    format,
    tenant: tenantOf(tenant),
    arrival: {
      field: arrival.field,
      unit: arrival.unit,
      ...given("zone", arrival.zone, arrival.zone),
      ...given("repeated_hour", arrival.repeated_hour, arrival.repeated_hour),
      ...given("from", arrival.from, arrival.from),
      ...given("to", arrival.to, arrival.to),
    },
    cost: costOf(cost),
    mode:
      mode.by === "constant"
        ? { by: "constant", mode: mode.mode }
        : { by: "field", field: mode.field, soft: mode.soft.split(",").map((value) => value.trim()) },
    req_id: req_id.by === "line" ? { by: "line" } : { by: "field", field: req_id.field },
  };
}
