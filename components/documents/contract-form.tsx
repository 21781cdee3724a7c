"use client";

import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Table,
  Text,
  TextInput,
} from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { useEffect } from "react";
import { GROUP_BY, REFILL } from "../../contract/contract-choices.ts";
import type { InputProblem } from "../../contract/input.ts";
import { visibleName } from "../name/visible-name.ts";
import type { ContractValues } from "./contract-values.ts";
import { placeProblems } from "./field-problems.ts";
import { ProblemLines } from "./problem-lines.tsx";

type Form = UseFormReturnType<ContractValues>;

const NUMBERS = [
  ["version", "Version of the contract's text", "1"],
  ["total_ceiling_per_sec", "Total ceiling", "tokens a second, promised to all"],
  ["epoch_ms", "Epoch", "ms"],
  ["grace_ms", "Grace", "ms, the longest wait that may be queued"],
] as const;
const FIELDS = new Set(["version", "total_ceiling_per_sec", "epoch_ms", "grace_ms", "group_by", "refill"]);

/** Values to choose from, and the one that is there, be it right or wrong. */
const choices = (known: readonly string[], current: string) => [...new Set([...known, current])];

let newTiers = 0;

function TierTable({ form }: { form: Form }) {
  const { tiers } = form.getValues();
  const add = () => {
    newTiers += 1;
    form.insertListItem("tiers", { from: `new ${newTiers}`, name: "", guaranteed: false });
  };
  return (
    <Stack gap="xs">
      <section className="scroll-region" tabIndex={0} aria-label="Tiers, in their order">
        <Table maw={640} miw={420} verticalSpacing={2} aria-label="Tiers">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Rank</Table.Th>
              <Table.Th>Tier</Table.Th>
              <Table.Th>Guaranteed</Table.Th>
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tiers.map((tier, at) => {
              const shown = tier.name === "" ? `tier ${at}` : visibleName(tier.name);
              return (
                <Table.Tr key={tier.from}>
                  <Table.Td>{at}</Table.Td>
                  <Table.Td>
                    <TextInput
                      size="xs"
                      aria-label={`Name of tier ${at}`}
                      spellCheck={false}
                      {...form.getInputProps(`tiers.${at}.name`)}
                    />
                  </Table.Td>
                  <Table.Td>
                    <Checkbox
                      aria-label={`${shown} is guaranteed`}
                      {...form.getInputProps(`tiers.${at}.guaranteed`, { type: "checkbox" })}
                    />
                  </Table.Td>
                  <Table.Td>
                    <Group gap={4} wrap="nowrap">
                      <ActionIcon
                        variant="subtle"
                        disabled={at === 0}
                        aria-label={`Raise ${shown}`}
                        onClick={() => form.reorderListItem("tiers", { from: at, to: at - 1 })}
                      >
                        <IconArrowUp size={16} aria-hidden />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        disabled={at === tiers.length - 1}
                        aria-label={`Lower ${shown}`}
                        onClick={() => form.reorderListItem("tiers", { from: at, to: at + 1 })}
                      >
                        <IconArrowDown size={16} aria-hidden />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        color="red"
                        aria-label={`Take away ${shown}`}
                        onClick={() => form.removeListItem("tiers", at)}
                      >
                        <IconTrash size={16} aria-hidden />
                      </ActionIcon>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </section>
      <Group>
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          Add a tier
        </Button>
        <Text size="xs" c="dimmed">
          The first has rank 0 and is dispatched first (§3.5).
        </Text>
      </Group>
    </Stack>
  );
}

/** A contract as a form. It reads its values once; every change is told at once, and problems stand beside their fields. */
export function ContractForm({
  initial,
  problems,
  onChange,
}: {
  initial: ContractValues;
  problems: readonly InputProblem[];
  onChange: (values: ContractValues) => void;
}) {
  const form = useForm<ContractValues>({
    mode: "uncontrolled",
    initialValues: initial,
    onValuesChange: onChange,
  });
  const rows = form.getValues().tiers.length;
  const placed = placeProblems(problems, (field) => {
    const [, at, name] = /^tiers\.(\d+)\.(.*)$/.exec(field) ?? [];
    return at === undefined
      ? FIELDS.has(field)
      : Number(at) < rows && (name === "name" || name === "guaranteed");
  });
  const { setErrors } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: errors change only with the problems they are made from
  useEffect(() => setErrors(placed.fields), [problems, setErrors]);
  return (
    <Stack gap="sm">
      <ProblemLines problems={placed.others} />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {NUMBERS.map(([field, label, description]) => (
          <TextInput
            key={field}
            label={label}
            description={description}
            spellCheck={false}
            {...form.getInputProps(field)}
          />
        ))}
        <NativeSelect
          label="Group by"
          description="what is admitted as one unit"
          data={choices(GROUP_BY, initial.group_by)}
          {...form.getInputProps("group_by")}
        />
        <NativeSelect
          label="Refill"
          description="how a bucket fills"
          data={choices(REFILL, initial.refill)}
          {...form.getInputProps("refill")}
        />
      </SimpleGrid>
      <TierTable form={form} />
    </Stack>
  );
}
