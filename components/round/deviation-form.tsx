"use client";

import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Deviation } from "../../contract/deviation.ts";
import type { DeviationNote } from "../../contract/deviation-note.ts";
import { ClauseText } from "../clause/clause-text.tsx";
import { Name } from "../name/name.tsx";
import { Moment } from "../shell/moment.tsx";
import { NotDone, type Told, useTold } from "../shell/told.tsx";

/** What may be done with deviations; absent where a round is only read. */
export interface DeviationActions {
  /** Null, or why it was not recorded. */
  record: (position: number, note: DeviationNote) => Promise<string | null>;
  withdraw: (id: string) => Promise<Told>;
}

/** What was recorded of a place: why, who, when. */
export function DeviationNoteView({
  deviation,
  onWithdraw,
}: {
  deviation: Deviation;
  onWithdraw?: (() => Promise<Told>) | undefined;
}) {
  const { problem, isBusy, ask } = useTold();
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Stack gap={0}>
          <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }} dir="auto">
            {deviation.reason}
          </Text>
          <Text size="xs" c="dimmed">
            Recorded by <Name value={deviation.by} max={60} />, <Moment at_ms={deviation.recorded_at_ms} />,
            for {deviation.path === null ? "every place of this check" : "this place"}
          </Text>
        </Stack>
        {onWithdraw !== undefined && (
          <Button size="compact-xs" variant="default" loading={isBusy} onClick={() => ask(onWithdraw)}>
            Withdraw
          </Button>
        )}
      </Group>
      <NotDone problem={problem} />
    </Stack>
  );
}

/** Records why a place is known to differ. It turns nothing green. */
export function DeviationForm({ onRecord }: { onRecord: (note: DeviationNote) => Promise<string | null> }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(
      await onRecord({
        reason: String(form.get("reason") ?? ""),
        by: String(form.get("by") ?? ""),
        scope: form.get("scope") === "check" ? "check" : "place",
      }),
    );
    setBusy(false);
  };
  return (
    <form onSubmit={submit} className="no-print">
      <Stack gap="xs" maw={640}>
        <Text size="sm" c="dimmed">
          A recorded deviation is shown beside the mismatch. The mismatch stays one, and no status changes (
          <ClauseText text="§5.3" />
          ).
        </Text>
        <Textarea
          name="reason"
          label="Why it is known to differ"
          required
          autosize
          minRows={2}
          maxLength={2000}
        />
        <Group align="flex-end" gap="sm">
          <TextInput name="by" label="Your name" required maxLength={200} />
          <NativeSelect
            name="scope"
            label="It speaks of"
            data={[
              { value: "place", label: "this place" },
              { value: "check", label: "every place of this check" },
            ]}
          />
          <Button type="submit" loading={isBusy}>
            Record
          </Button>
        </Group>
        {problem !== null && <Alert color="red">{problem}</Alert>}
      </Stack>
    </form>
  );
}
