"use client";

import { Autocomplete, NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import type { LogField } from "../../contract/mapping.ts";
import { visibleName } from "../name/visible-name.ts";
import type { StreamDraft } from "./stream-draft.ts";

interface PartProps {
  draft: StreamDraft;
  fields: LogField[];
  problemAt: (path: string) => string | undefined;
  onChange: (draft: StreamDraft) => void;
}

const TENANT_BY = [
  { value: "address", label: "an address" },
  { value: "field", label: "a user, a header, a field as it stands" },
  { value: "key", label: "an API key (by its SHA-256)" },
  { value: "host", label: "a host" },
  { value: "path-segment", label: "a segment of the path" },
  { value: "capture", label: "a part of a field, by an RE2 expression" },
];
const UNITS = [
  { value: "", label: "state it" },
  { value: "iso", label: "ISO 8601" },
  { value: "clf", label: "25/Oct/2026:10:00:00 +0000" },
  { value: "s", label: "seconds since 1970" },
  { value: "ms", label: "milliseconds since 1970" },
  { value: "us", label: "microseconds since 1970" },
  { value: "ns", label: "nanoseconds since 1970" },
];
const COST_BY = [
  { value: "constant", label: "the same for each" },
  { value: "field", label: "a field" },
  { value: "method", label: "by method" },
  { value: "path", label: "by path" },
];

/** A field of the log: those that were found are offered, any other may be typed. */
function FieldInput(props: {
  label: string;
  value: string;
  fields: LogField[];
  error: string | undefined;
  onChange: (field: string) => void;
}) {
  const { label, value, fields, error, onChange } = props;
  const example = fields.find(({ name }) => name === value)?.example ?? null;
  return (
    <Autocomplete
      label={label}
      size="xs"
      value={value}
      data={[...new Set(fields.map(({ name }) => name))]}
      onChange={onChange}
      error={error}
      description={
        example === null ? "in no line seen so far" : `such as ${visibleName(example).slice(0, 60)}`
      }
      // Below, so that it stands level with the fields beside it that have no description.
      inputWrapperOrder={["label", "input", "description", "error"]}
      limit={200}
    />
  );
}

function TextPart(props: {
  label: string;
  value: string;
  error?: string | undefined;
  placeholder?: string;
  onChange: (value: string) => void;
}) {
  const { label, value, error, placeholder, onChange } = props;
  return (
    <TextInput
      label={label}
      size="xs"
      value={value}
      error={error}
      {...(placeholder === undefined ? {} : { placeholder })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function TenantPart({ draft, fields, problemAt, onChange }: PartProps) {
  const { tenant } = draft;
  const set = (patch: Partial<StreamDraft["tenant"]>) =>
    onChange({ ...draft, tenant: { ...tenant, ...patch } });
  return (
    <Stack gap={6}>
      <NativeSelect
        label="The tenant is"
        size="xs"
        value={tenant.by}
        data={TENANT_BY}
        onChange={(event) => set({ by: event.currentTarget.value as StreamDraft["tenant"]["by"] })}
      />
      <FieldInput
        label="Tenant's field"
        value={tenant.field}
        fields={fields}
        error={problemAt("tenant.field")}
        onChange={(field) => set({ field })}
      />
      {tenant.by === "address" && (
        <>
          <SimpleGrid cols={2} spacing="xs">
            <TextPart
              label="Bits of IPv4"
              value={tenant.v4}
              placeholder="32"
              error={problemAt("tenant.v4")}
              onChange={(v4) => set({ v4 })}
            />
            <TextPart
              label="Bits of IPv6"
              value={tenant.v6}
              placeholder="128"
              error={problemAt("tenant.v6")}
              onChange={(v6) => set({ v6 })}
            />
          </SimpleGrid>
          <NativeSelect
            label="Of a list of addresses"
            size="xs"
            value={tenant.hop}
            data={[
              { value: "first", label: "the first" },
              { value: "last", label: "the last" },
            ]}
            onChange={(event) => set({ hop: event.currentTarget.value as "first" | "last" })}
          />
        </>
      )}
      {tenant.by === "path-segment" && (
        <TextPart
          label="Segment, from 1"
          value={tenant.segment}
          error={problemAt("tenant.segment")}
          onChange={(segment) => set({ segment })}
        />
      )}
      {tenant.by === "capture" && (
        <TextPart
          label="RE2 expression"
          value={tenant.expression}
          placeholder="^/api/([^/]+)"
          error={problemAt("tenant.expression")}
          onChange={(expression) => set({ expression })}
        />
      )}
      <TextPart
        label="Tenant of lines without"
        value={tenant.missing}
        placeholder="none: such a line is a problem"
        error={problemAt("tenant.missing")}
        onChange={(missing) => set({ missing })}
      />
    </Stack>
  );
}

function ArrivalPart({ draft, fields, problemAt, onChange }: PartProps) {
  const { arrival } = draft;
  const set = (patch: Partial<StreamDraft["arrival"]>) =>
    onChange({ ...draft, arrival: { ...arrival, ...patch } });
  return (
    <Stack gap={6}>
      <FieldInput
        label="Arrival's field"
        value={arrival.field}
        fields={fields}
        error={problemAt("arrival.field")}
        onChange={(field) => set({ field })}
      />
      <NativeSelect
        label="Its form or unit"
        size="xs"
        value={arrival.unit}
        data={UNITS}
        error={arrival.unit === "" ? "expected the form or the unit" : problemAt("arrival.unit")}
        onChange={(event) => set({ unit: event.currentTarget.value as StreamDraft["arrival"]["unit"] })}
      />
      {(arrival.unit === "iso" || arrival.unit === "clf") && (
        <>
          <TextPart
            label="Zone of stamps without one"
            value={arrival.zone}
            placeholder="UTC, or Europe/Berlin"
            error={problemAt("arrival.zone")}
            onChange={(zone) => set({ zone })}
          />
          {arrival.zone !== "" && arrival.zone !== "UTC" && (
            <NativeSelect
              label="An hour that the clock showed twice"
              size="xs"
              value={arrival.repeated_hour}
              data={[
                { value: "", label: "is a problem" },
                { value: "earlier", label: "is the earlier one" },
                { value: "later", label: "is the later one" },
              ]}
              onChange={(event) =>
                set({ repeated_hour: event.currentTarget.value as StreamDraft["arrival"]["repeated_hour"] })
              }
            />
          )}
        </>
      )}
      <TextPart
        label="Only from"
        value={arrival.from}
        placeholder="2026-10-25T10:00:00Z"
        error={problemAt("arrival.from")}
        onChange={(from) => set({ from })}
      />
      <TextPart
        label="Only before"
        value={arrival.to}
        placeholder="the end of the log"
        error={problemAt("arrival.to")}
        onChange={(to) => set({ to })}
      />
      {(arrival.from !== "" || arrival.to !== "") && (
        <Text size="xs">Lines outside are problems: lenient reading leaves them out and says so.</Text>
      )}
    </Stack>
  );
}

function CostPart({ draft, fields, problemAt, onChange }: PartProps) {
  const { cost } = draft;
  const set = (patch: Partial<StreamDraft["cost"]>) => onChange({ ...draft, cost: { ...cost, ...patch } });
  const isListed = cost.by === "method" || cost.by === "path";
  const field = { constant: "", field: "", method: "method", path: "path" } as const;
  return (
    <Stack gap={6}>
      <NativeSelect
        label="The cost is"
        size="xs"
        value={cost.by}
        data={COST_BY}
        onChange={(event) => {
          const by = event.currentTarget.value as StreamDraft["cost"]["by"];
          set({ by, field: cost.field === "" ? field[by] : cost.field });
        }}
      />
      {cost.by !== "constant" && (
        <FieldInput
          label="Cost's field"
          value={cost.field}
          fields={fields}
          error={problemAt("cost.field")}
          onChange={(name) => set({ field: name })}
        />
      )}
      {isListed && (
        <Textarea
          label={cost.by === "method" ? "Method and cost, one a line" : "RE2 expression and cost, one a line"}
          size="xs"
          value={cost.rows}
          placeholder={cost.by === "method" ? "POST 5" : "^/search 10"}
          error={problemAt("cost.costs")}
          onChange={(event) => set({ rows: event.currentTarget.value })}
          autosize
          minRows={2}
        />
      )}
      {cost.by === "field" ? (
        <TextPart
          label="Cost of lines without"
          value={cost.missing}
          placeholder="none: such a line is a problem"
          error={problemAt("cost.missing")}
          onChange={(missing) => set({ missing })}
        />
      ) : (
        <TextPart
          label={isListed ? "Cost of all others, tokens" : "Cost, tokens"}
          value={cost.cost}
          error={problemAt(isListed ? "cost.otherwise" : "cost.cost")}
          onChange={(price) => set({ cost: price })}
        />
      )}
    </Stack>
  );
}

function ModePart({ draft, fields, problemAt, onChange }: PartProps) {
  const { mode, req_id } = draft;
  return (
    <Stack gap={6}>
      <NativeSelect
        label="Requests may be queued"
        size="xs"
        value={mode.by === "field" ? "field" : mode.mode}
        data={[
          { value: "soft", label: "all (soft)" },
          { value: "hard", label: "none (hard)" },
          { value: "field", label: "by a field" },
        ]}
        onChange={(event) => {
          const chosen = event.currentTarget.value as "soft" | "hard" | "field";
          onChange({
            ...draft,
            mode: chosen === "field" ? { ...mode, by: "field" } : { ...mode, by: "constant", mode: chosen },
          });
        }}
      />
      {mode.by === "field" && (
        <>
          <FieldInput
            label="Mode's field"
            value={mode.field}
            fields={fields}
            error={problemAt("mode.field")}
            onChange={(field) => onChange({ ...draft, mode: { ...mode, field } })}
          />
          <TextPart
            label="Values that are soft, by commas"
            value={mode.soft}
            error={problemAt("mode.soft")}
            onChange={(soft) => onChange({ ...draft, mode: { ...mode, soft } })}
          />
        </>
      )}
      <NativeSelect
        label="The id is"
        size="xs"
        value={req_id.by}
        data={[
          { value: "line", label: "the line's number" },
          { value: "field", label: "a field" },
        ]}
        onChange={(event) =>
          onChange({ ...draft, req_id: { ...req_id, by: event.currentTarget.value as "line" | "field" } })
        }
      />
      {req_id.by === "field" && (
        <FieldInput
          label="Id's field"
          value={req_id.field}
          fields={fields}
          error={problemAt("req_id.field")}
          onChange={(field) => onChange({ ...draft, req_id: { ...req_id, field } })}
        />
      )}
    </Stack>
  );
}

/** Which fields of a log are a request's tenant, arrival, cost, mode and id. */
export function StreamMappingForm(props: PartProps) {
  return (
    <section aria-label="Mapping">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
        <TenantPart {...props} />
        <ArrivalPart {...props} />
        <CostPart {...props} />
        <ModePart {...props} />
      </SimpleGrid>
    </section>
  );
}
