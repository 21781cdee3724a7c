"use client";

import { Accordion } from "@mantine/core";
import type { FaultInfo } from "../../contract/round-view.ts";
import { FaultBoxes } from "../faults/fault-boxes.tsx";

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
          <FaultBoxes
            label="Each replaces one rule, to prove that the alarm works"
            faults={faults}
            chosen={chosen}
            onChange={onChange}
          />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
