"use client";

import { Accordion, Checkbox, SimpleGrid } from "@mantine/core";
import type { FaultInfo } from "../../contract/round-view.ts";

/** Which known faults a round is run with. */
export function FaultChoice({
  faults,
  chosen,
  onChange,
}: {
  faults: FaultInfo[];
  chosen: string[];
  onChange: (ids: string[]) => void;
}) {
  return (
    <Accordion variant="contained">
      <Accordion.Item value="faults">
        <Accordion.Control>
          Inject known faults{chosen.length === 0 ? "" : ` (${chosen.length})`}
        </Accordion.Control>
        <Accordion.Panel>
          <Checkbox.Group
            value={chosen}
            onChange={onChange}
            label="Each replaces one rule, to prove that the alarm works"
          >
            <SimpleGrid cols={{ base: 1, md: 2 }} mt="xs">
              {faults.map(({ id, clause, title, summary }) => (
                <Checkbox key={id} value={id} label={`${title} (${clause})`} description={summary} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
