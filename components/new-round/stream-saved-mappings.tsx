"use client";

import { Anchor, Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { MappingDraft, SavedMapping } from "../../contract/mapping.ts";
import { visibleName } from "../name/visible-name.ts";
import type { StreamApi } from "./stream-api.ts";

/** A mapping as the file that the command line takes by `--map`. */
const fileOf = (mapping: unknown): string =>
  `data:application/json;charset=utf-8,${encodeURIComponent(`${JSON.stringify(mapping, null, 2)}\n`)}`;

/** Mappings by name: taken from those kept, or kept for the next log. */
export function StreamSavedMappings(props: {
  api: StreamApi;
  mapping: unknown;
  onLoad: (mapping: MappingDraft) => void;
}) {
  const { api, mapping, onLoad } = props;
  const [saved, setSaved] = useState<SavedMapping[]>([]);
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState("");
  const [said, setSaid] = useState<{ text: string; isProblem: boolean } | null>(null);
  const refresh = () => api.mappings().then(setSaved, () => setSaved([]));
  useEffect(() => {
    api.mappings().then(setSaved, () => setSaved([]));
  }, [api]);

  const save = async () => {
    const problems = await api.saveMapping(name, mapping);
    const first = problems[0];
    setSaid(
      first === undefined
        ? { text: `Kept as ${visibleName(name)}.`, isProblem: false }
        : { text: `Not kept: ${first.path} ${first.message}`, isProblem: true },
    );
    if (first === undefined) await refresh();
  };
  const load = (wanted: string) => {
    setChosen(wanted);
    const found = saved.find((one) => one.name === wanted);
    if (found !== undefined) onLoad(found.mapping);
  };
  const remove = async () => {
    const problem = await api.removeMapping(chosen);
    if (problem !== null) return setSaid({ text: problem, isProblem: true });
    setSaid({ text: `${visibleName(chosen)} is forgotten.`, isProblem: false });
    setChosen("");
    await refresh();
  };

  return (
    <Group align="end" gap="xs">
      {saved.length > 0 && (
        <>
          <NativeSelect
            label="Mappings kept"
            size="xs"
            value={chosen}
            onChange={(event) => load(event.currentTarget.value)}
            data={[
              { value: "", label: "choose one" },
              ...saved.map((one) => ({ value: one.name, label: visibleName(one.name) })),
            ]}
          />
          <Button size="xs" variant="default" disabled={chosen === ""} onClick={remove}>
            Forget it
          </Button>
        </>
      )}
      <TextInput
        label="Keep this mapping as"
        size="xs"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button size="xs" variant="default" disabled={name === ""} onClick={save}>
        Keep
      </Button>
      <Anchor href={fileOf(mapping)} size="sm" download="mapping.json">
        As a file, for the command line
      </Anchor>
      {said !== null && (
        <Text size="sm" role="status" {...(said.isProblem ? { c: "var(--unwell)" } : {})}>
          {said.text}
        </Text>
      )}
    </Group>
  );
}
