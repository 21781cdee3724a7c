"use client";

import {
  ActionIcon,
  Button,
  Group,
  NativeSelect,
  Pagination,
  Stack,
  Table,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { IconPlus, IconSearch, IconTrash } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { InputProblem } from "../../contract/input.ts";
import { counted } from "../format/format.ts";
import { visibleName } from "../name/visible-name.ts";
import { placeProblems } from "./field-problems.ts";
import { newTenant, type PolicyValues, type TenantValues } from "./policy-values.ts";
import { ProblemLines } from "./problem-lines.tsx";

type Form = UseFormReturnType<PolicyValues>;

const ROWS_A_PAGE = 25;

const FIELDS = [
  ["tenant", "Tenant", "name, or * for all others", "11rem"],
  ["tier", "Tier", "", "8rem"],
  ["capacity", "Capacity", "tokens", "7rem"],
  ["rate", "Rate", "a second, or 7/3s", "7rem"],
  ["ceiling_units", "Ceiling", "tokens a second", "7rem"],
  ["opening_tokens", "Opening", "absent: capacity", "7rem"],
  ["reserve_tokens", "Reserve", "absent: 0", "7rem"],
] as const;
type FieldName = (typeof FIELDS)[number][0];

function TenantField({
  form,
  at,
  field,
  row,
  tiers,
}: {
  form: Form;
  at: number;
  field: FieldName;
  row: TenantValues;
  tiers: readonly string[];
}) {
  const label = FIELDS.find(([name]) => name === field)![1];
  const props = {
    size: "xs" as const,
    "aria-label": `${label} of ${row.tenant === "" ? `tenant ${at + 1}` : visibleName(row.tenant)}`,
    ...form.getInputProps(`tenants.${at}.${field}`),
  };
  if (field !== "tier") return <TextInput {...props} spellCheck={false} />;
  const names = new Set([...(row.tier === "" ? [""] : []), ...tiers, row.tier]);
  return <NativeSelect {...props} data={[...names]} />;
}

function TenantRow({
  form,
  at,
  row,
  tiers,
}: {
  form: Form;
  at: number;
  row: TenantValues;
  tiers: readonly string[];
}) {
  return (
    <Table.Tr data-tenant-row={at}>
      {FIELDS.map(([field, , , width]) => (
        <Table.Td key={field} p={4} miw={width} style={{ verticalAlign: "top" }}>
          <TenantField form={form} at={at} field={field} row={row} tiers={tiers} />
        </Table.Td>
      ))}
      <Table.Td p={4} style={{ verticalAlign: "top" }}>
        <ActionIcon
          variant="subtle"
          color="red"
          size="md"
          aria-label={`Take away ${row.tenant === "" ? `tenant ${at + 1}` : visibleName(row.tenant)}`}
          onClick={() => form.removeListItem("tenants", at)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  );
}

/** Which tenants the search finds, by their places; all where there is none. */
function placesFound(
  tenants: readonly TenantValues[],
  search: string,
  errors: Form["errors"],
  onlyBroken: boolean,
): number[] {
  const wanted = search.toLowerCase();
  const broken = new Set(Object.keys(errors).flatMap((path) => /^tenants\.(\d+)\./.exec(path)?.[1] ?? []));
  return [...tenants.keys()].filter(
    (at) =>
      (!onlyBroken || broken.has(String(at))) &&
      (wanted === "" ||
        [tenants[at]!.tenant, tenants[at]!.tier].some((text) => text.toLowerCase().includes(wanted))),
  );
}

function TenantTable({ form, tiers }: { form: Form; tiers: readonly string[] }) {
  const [search, setSearch] = useState("");
  const [onlyBroken, setOnlyBroken] = useState(false);
  const [page, setPage] = useState(1);
  const { tenants } = form.getValues();
  const hasErrors = Object.keys(form.errors).some((path) => path.startsWith("tenants."));
  const places = placesFound(tenants, search, form.errors, onlyBroken && hasErrors);
  const pages = Math.max(1, Math.ceil(places.length / ROWS_A_PAGE));
  const shown = Math.min(page, pages);
  const add = () => {
    form.insertListItem("tenants", newTenant(tiers[0] ?? ""), 0);
    setSearch("");
    setOnlyBroken(false);
    setPage(1);
  };
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <TextInput
          size="xs"
          aria-label="Search tenants"
          placeholder="Tenant or tier"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setPage(1);
          }}
        />
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          Add a tenant
        </Button>
        {hasErrors && (
          <Button
            size="xs"
            variant={onlyBroken ? "filled" : "default"}
            aria-pressed={onlyBroken}
            onClick={() => setOnlyBroken(!onlyBroken)}
          >
            Only with errors
          </Button>
        )}
        <Text size="xs" c="dimmed" aria-live="polite">
          {places.length === tenants.length
            ? counted(tenants.length, "tenant")
            : `${places.length} of ${counted(tenants.length, "tenant")}`}
        </Text>
      </Group>
      <section className="scroll-region" tabIndex={0} aria-label="Tenants">
        <Table miw={880} verticalSpacing={2}>
          <Table.Thead>
            <Table.Tr>
              {FIELDS.map(([field, title, hint]) => (
                <Table.Th key={field} p={4}>
                  {title}
                  <Text size="xs" c="dimmed" fw={400}>
                    {hint}
                  </Text>
                </Table.Th>
              ))}
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {places.slice((shown - 1) * ROWS_A_PAGE, shown * ROWS_A_PAGE).map((at) => (
              <TenantRow key={tenants[at]!.from} form={form} at={at} row={tenants[at]!} tiers={tiers} />
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {pages > 1 && (
        <Pagination
          size="xs"
          total={pages}
          value={shown}
          onChange={setPage}
          getControlProps={(control) => ({ "aria-label": `${control} page of tenants` })}
        />
      )}
    </Stack>
  );
}

/** A policy as a form. It reads its values once; every change is told at once, and problems stand beside their fields. */
export function PolicyForm({
  initial,
  tiers,
  problems,
  onChange,
}: {
  initial: PolicyValues;
  tiers: readonly string[];
  problems: readonly InputProblem[];
  onChange: (values: PolicyValues) => void;
}) {
  const form = useForm<PolicyValues>({
    mode: "uncontrolled",
    initialValues: initial,
    onValuesChange: onChange,
  });
  const rows = form.getValues().tenants.length;
  const placed = placeProblems(problems, (field) => {
    const [, at, name] = /^tenants\.(\d+)\.(.*)$/.exec(field) ?? [];
    return at === undefined
      ? field === "denylist"
      : Number(at) < rows && FIELDS.some(([known]) => known === name);
  });
  const { setErrors } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: errors change only with the problems they are made from
  useEffect(() => setErrors(placed.fields), [problems, setErrors]);
  return (
    <Stack gap="sm">
      <ProblemLines problems={placed.others} />
      <TenantTable form={form} tiers={tiers} />
      <Textarea
        label="Denylist"
        description="Tenants that are never served, one a line"
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        maw={480}
        {...form.getInputProps("denylist")}
      />
    </Stack>
  );
}
