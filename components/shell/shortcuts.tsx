"use client";

import { Button, Checkbox, Kbd, Stack, Table, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { LiveControls } from "./live-controls.tsx";

const KEYS = [
  ["/", "Search on this page"],
  ["g", "Go to a request by its id, where the page lists requests"],
  ["j, ↓", "Next row of the table that has the focus"],
  ["k, ↑", "Row before"],
  ["Home, End", "First row, last row"],
  ["Enter", "Open the marked row"],
  ["?", "This sheet"],
] as const;
const OFF_KEY = "shortcuts-off";

/** Where a key is text, it is no shortcut. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

/** Listens for single keys on every page; the sheet that lists them can turn them off (WCAG 2.1.4). */
export function Shortcuts() {
  const sheet = useRef<HTMLDialogElement>(null);
  const [isOff, setOff] = useState(false);
  useEffect(() => setOff(localStorage.getItem(OFF_KEY) === "1"), []);
  useEffect(() => {
    if (isOff) return;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const field = { "/": '[role="search"] input:not([type="hidden"])', g: 'input[data-shortcut="g"]' }[
        event.key
      ];
      if (event.key === "?") sheet.current?.showModal();
      else if (field === undefined) return;
      else document.querySelector<HTMLInputElement>(field)?.focus();
      event.preventDefault();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [isOff]);
  const turn = (off: boolean) => {
    localStorage.setItem(OFF_KEY, off ? "1" : "0");
    setOff(off);
  };
  return (
    <LiveControls>
      <Button
        variant="default"
        size="compact-md"
        aria-label="Keys"
        onClick={() => sheet.current?.showModal()}
      >
        ?
      </Button>
      <dialog ref={sheet} className="sheet" aria-labelledby="keys-title">
        <Stack gap="sm">
          <Title order={2} size="h4" id="keys-title">
            Keys
          </Title>
          <Table>
            <Table.Tbody>
              {KEYS.map(([key, does]) => (
                <Table.Tr key={key}>
                  <Table.Td>
                    <Kbd>{key}</Kbd>
                  </Table.Td>
                  <Table.Td>{does}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Text size="sm" c="dimmed">
            In a table the keys work once it has the focus: click it, or reach it by Tab.
          </Text>
          <Checkbox
            label="Listen to / g and ? on every page"
            checked={!isOff}
            onChange={(event) => turn(!event.currentTarget.checked)}
          />
          <Button onClick={() => sheet.current?.close()}>Close</Button>
        </Stack>
      </dialog>
    </LiveControls>
  );
}
