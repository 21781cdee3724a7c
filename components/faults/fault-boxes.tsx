"use client";

import { Checkbox, SimpleGrid } from "@mantine/core";
import type { FaultInfo } from "../../contract/round-view.ts";

/** Faults to choose some of, each with its clause and what it does. */
export function FaultBoxes({
  label,
  faults,
  chosen,
  onChange,
}: {
  label: string;
  faults: readonly Pick<FaultInfo, "id" | "clause" | "title" | "summary">[];
  chosen: string[];
  onChange: (ids: string[]) => void;
}) {
  return (
    <Checkbox.Group value={chosen} onChange={onChange} label={label}>
      <SimpleGrid cols={{ base: 1, md: 2 }} mt="xs">
        {faults.map(({ id, clause, title, summary }) => (
          <Checkbox key={id} value={id} label={`${title} (${clause})`} description={summary} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
