"use client";

import { Stack, Table, Text } from "@mantine/core";
import { useMemo } from "react";
import { counted } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { type DocumentChange, documentChanges } from "./document-diff.ts";
import { readTree } from "./json-tree.ts";

const SHOWN = 300;
const WORDS: Record<DocumentChange["kind"], string> = {
  added: "added",
  removed: "removed",
  changed: "changed",
  moved: "moved",
  spelling: "same number, written otherwise",
};

/** What differs from another version, field by field. */
export function ChangesView({ before, after, title }: { before: string; after: string; title: string }) {
  const changes = useMemo(() => {
    const [then, now] = [readTree(before), readTree(after)];
    return then === null || now === null ? null : documentChanges(then, now);
  }, [before, after]);
  if (changes === null) return <Text size="sm">The text is no JSON yet, so nothing can be compared.</Text>;
  if (changes.length === 0)
    return (
      <Text size="sm">
        {before === after
          ? `The same text as ${title}.`
          : `No field differs from ${title}: only layout or order of the text do.`}
      </Text>
    );
  return (
    <Stack gap="xs">
      <Text size="sm">
        {counted(changes.length, "difference")} from {title}
        {changes.length > SHOWN ? `, the first ${SHOWN}` : ""}
      </Text>
      <section className="scroll-region" tabIndex={0} aria-label="Differences">
        <Table miw={640} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>What</Table.Th>
              <Table.Th>Before</Table.Th>
              <Table.Th>Now</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.slice(0, SHOWN).map(({ path, kind, before: was, after: is }) => (
              <Table.Tr key={`${path} ${kind}`}>
                <Table.Td>
                  <Name value={path} max={80} />
                </Table.Td>
                <Table.Td>{WORDS[kind]}</Table.Td>
                <Table.Td>{was === "" ? "" : <Name value={was} max={120} />}</Table.Td>
                <Table.Td>{is === "" ? "" : <Name value={is} max={120} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Stack>
  );
}
