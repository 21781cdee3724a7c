"use client";

import { Accordion, Button, Group, Stack, Text } from "@mantine/core";
import type { LabRowInfo } from "../../contract/fault-study.ts";
import { formatCount } from "../format/format.ts";
import { FaultBoxes } from "./fault-boxes.tsx";

/** Which faults are tried: all, the problem state's, or some. */
export function RowChoice({
  rows,
  presets,
  chosen,
  onChange,
}: {
  rows: LabRowInfo[];
  presets: { title: string; rows: string[] }[];
  chosen: string[];
  onChange: (ids: string[]) => void;
}) {
  const isChosen = (ids: string[]) => ids.length === chosen.length && ids.every((id) => chosen.includes(id));
  return (
    <Stack gap="xs">
      <Group gap="xs" role="group" aria-label="Presets">
        {presets.map((preset) => (
          <Button
            key={preset.title}
            size="xs"
            variant={isChosen(preset.rows) ? "filled" : "default"}
            aria-pressed={isChosen(preset.rows)}
            onClick={() => onChange(preset.rows)}
          >
            {preset.title}
          </Button>
        ))}
        <Text size="sm">
          {formatCount(chosen.length)} of {formatCount(rows.length)} chosen
        </Text>
      </Group>
      <Accordion variant="contained">
        <Accordion.Item value="rows">
          <Accordion.Control>One by one</Accordion.Control>
          <Accordion.Panel>
            <FaultBoxes label="Faults to try" faults={rows} chosen={chosen} onChange={onChange} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}
