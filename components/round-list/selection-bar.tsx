"use client";

import { Button, Group, Paper, Text } from "@mantine/core";
import { IconArrowBackUp, IconTrash } from "@tabler/icons-react";
import { counted, formatCount } from "../format/format.ts";

/** What is chosen of the list: some rounds by id, or all that match, on every page. */
export interface Chosen {
  ids: ReadonlySet<string>;
  allMatching: boolean;
}

/** What can be done with the chosen rounds. */
export function SelectionBar(props: {
  chosen: Chosen;
  shown: number;
  total: number;
  isRemovedView: boolean;
  isBusy: boolean;
  onAllMatching: () => void;
  onClear: () => void;
  onRemove: () => void;
  onRestore: () => void;
}) {
  const { chosen, shown, total, isRemovedView } = props;
  const count = chosen.allMatching ? total : chosen.ids.size;
  const canWiden = !chosen.allMatching && !isRemovedView && chosen.ids.size === shown && total > shown;
  return (
    // Without a choice it is a hint in the place that it keeps: nothing jumps when something is chosen.
    <Paper
      withBorder={count > 0}
      px={count > 0 ? "sm" : 0}
      py={6}
      role="group"
      aria-label="Chosen rounds"
      mih={46}
      style={{ display: "flex", alignItems: "center" }}
    >
      <Group gap="sm">
        <Text size="sm" aria-live="polite" {...(count === 0 ? { c: "dimmed" } : {})}>
          {count === 0
            ? `Choose rounds to ${isRemovedView ? "put back" : "remove"}.`
            : `${counted(count, "round")} chosen`}
        </Text>
        {count > 0 &&
          (isRemovedView ? (
            <Button
              size="xs"
              loading={props.isBusy}
              leftSection={<IconArrowBackUp size={14} aria-hidden />}
              onClick={props.onRestore}
            >
              Put back
            </Button>
          ) : (
            <Button
              size="xs"
              color="red"
              variant="outline"
              loading={props.isBusy}
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={props.onRemove}
            >
              Remove
            </Button>
          ))}
        {canWiden && (
          <Button size="xs" variant="subtle" onClick={props.onAllMatching}>
            Choose all {formatCount(total)} that match
          </Button>
        )}
        {count > 0 && (
          <Button size="xs" variant="subtle" onClick={props.onClear}>
            Choose none
          </Button>
        )}
      </Group>
    </Paper>
  );
}
