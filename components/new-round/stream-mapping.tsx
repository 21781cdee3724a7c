"use client";

import { Alert, Stack, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconQuestionMark } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { InputProblem } from "../../contract/input.ts";
import type { LogPreview, Recognition } from "../../contract/mapping.ts";
import { inWords } from "../shell/unanswered.ts";
import { headForm, type StreamApi, type StreamPlan } from "./stream-api.ts";
import type { StreamChoice } from "./stream-choice.ts";
import { draftOf, mappingOf, type StreamDraft } from "./stream-draft.ts";
import { StreamMappingForm } from "./stream-mapping-form.tsx";
import { StreamPreview } from "./stream-preview.tsx";
import { StreamSavedMappings } from "./stream-saved-mappings.tsx";
import { StreamSpread } from "./stream-spread.tsx";

/** Milliseconds of rest after which what was typed is judged. */
const REST_MS = 300;

/** Where a log in nginx's own format begins: its format must be told. */
const OWN_FORMAT: StreamDraft = draftOf({
  version: 1,
  format: {
    id: "nginx",
    log_format: '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent',
  },
  tenant: { by: "address", field: "remote_addr" },
  arrival: { field: "time_local", unit: "clf" },
  cost: { by: "constant", cost: 1 },
  mode: { by: "constant", mode: "soft" },
  req_id: { by: "line" },
});

type Judged = LogPreview & { problems: InputProblem[] };

const NOTHING: LogPreview = { rows: [], spread: null };

/** The first rows under a mapping, or what is wrong with it; null while that is being found. */
function useJudged(choice: StreamChoice, draft: StreamDraft, api: StreamApi): Judged | null {
  const [rested] = useDebouncedValue(draft, REST_MS);
  const [judged, setJudged] = useState<{ draft: StreamDraft; found: Judged } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const show = (found: Judged) => isCurrent && setJudged({ draft: rested, found });
    api.preview(headForm(choice, { mapping: mappingOf(rested) })).then(
      (result) =>
        show(result.ok ? { ...result.value, problems: [] } : { ...NOTHING, problems: result.problems }),
      (error) =>
        show({
          ...NOTHING,
          problems: [
            {
              file: "mapping",
              path: "",
              message: `the first rows could not be asked for: ${inWords(error)}`,
            },
          ],
        }),
    );
    return () => {
      isCurrent = false;
    };
  }, [choice, rested, api]);
  return judged?.draft === draft ? judged.found : null;
}

/** How the lines of a log become requests: the form, its errors in place, and the first rows as they come out. */
export function StreamMapping(props: {
  choice: StreamChoice;
  api: StreamApi;
  /** Null: a format of one's own, which is told here. */
  recognition: Recognition | null;
  /** The mapping that the form begins with in place of the one proposed. */
  initial?: StreamDraft | null;
  onDraft?: ((draft: StreamDraft) => void) | undefined;
  onPlan: (plan: StreamPlan) => void;
  /** The tenants of the first requests under this mapping. */
  onTenants?: (tenants: readonly string[]) => void;
}) {
  const { choice, api, recognition, onDraft, onPlan, onTenants } = props;
  const [draft, setDraft] = useState(
    () => props.initial ?? (recognition === null ? OWN_FORMAT : draftOf(recognition.proposal)),
  );
  const judged = useJudged(choice, draft, api);
  const problemAt = (path: string): string | undefined =>
    judged?.problems.find((problem) => problem.path === path || problem.path.startsWith(`${path}[`))?.message;
  useEffect(() => {
    // A mapping that is not sound is sent too: the server says what is wrong, beside its field.
    onPlan({ mapping: mappingOf(draft) });
    onDraft?.(draft);
  }, [draft, onDraft, onPlan]);
  useEffect(() => {
    if (judged !== null)
      onTenants?.(judged.rows.flatMap(({ outcome }) => (outcome.ok ? [outcome.tenant] : [])));
  }, [judged, onTenants]);
  return (
    <Stack gap="sm">
      {recognition !== null && recognition.asks.length > 0 && (
        <Alert color="blue" icon={<IconQuestionMark aria-hidden />} title="The log does not say">
          {recognition.asks.join(" ")}
        </Alert>
      )}
      {draft.format.id === "nginx" && (
        <Textarea
          label="log_format"
          description="As nginx has it: the directive, its quoted parts, or the text itself."
          value={draft.format.log_format ?? ""}
          onChange={(event) =>
            setDraft({ ...draft, format: { ...draft.format, log_format: event.currentTarget.value } })
          }
          error={problemAt("format.log_format")}
          autosize
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8rem" } }}
        />
      )}
      <StreamMappingForm
        draft={draft}
        fields={recognition?.fields ?? []}
        problemAt={problemAt}
        onChange={setDraft}
      />
      {judged !== null && judged.spread !== null && (
        <StreamSpread
          spread={judged.spread}
          onFrom={(from) => setDraft({ ...draft, arrival: { ...draft.arrival, from } })}
        />
      )}
      <StreamPreview judged={judged} />
      <StreamSavedMappings
        api={api}
        mapping={mappingOf(draft)}
        onLoad={(mapping) => setDraft(draftOf(mapping))}
      />
    </Stack>
  );
}
