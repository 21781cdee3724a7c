"use client";

import { Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { formatCount } from "../format/format.ts";

/** A count as the report has it, and the reference's beside it where that is another; marked by more than colour. */
export function BesideReference({
  reported,
  expected,
}: {
  reported: number;
  /** Undefined where nobody noted it. */
  expected: number | undefined;
}) {
  if (expected === undefined || expected === reported) return formatCount(reported);
  return (
    <>
      {formatCount(reported)}
      <Text
        component="span"
        display="block"
        size="xs"
        fw={700}
        c="var(--unwell)"
        style={{ whiteSpace: "nowrap" }}
      >
        <IconAlertTriangle size={12} role="img" aria-label="differs:" /> reference {formatCount(expected)}
      </Text>
    </>
  );
}
