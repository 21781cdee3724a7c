"use client";

import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconCalendarOff } from "@tabler/icons-react";
import type { ArrivalSpread } from "../../contract/mapping.ts";
import { counted, formatCount } from "../format/format.ts";
import { shortStamp } from "../format/short-stamp.ts";

/** Says before the round runs that the lines looked at already lie too far apart, and offers the stretch that holds most. */
export function StreamSpread({
  spread: { earliest, line, beyond, stretch },
  onFrom,
}: {
  spread: ArrivalSpread;
  onFrom: (stamp: string) => void;
}) {
  return (
    <Alert
      color="yellow"
      icon={<IconCalendarOff aria-hidden />}
      title="These lines lie more than 366 days apart"
      data-testid="spread"
    >
      <Stack gap="xs" align="start">
        <Text size="sm">
          No round is longer (§1.3). The earliest of the lines looked at is of {shortStamp(earliest)}, in line{" "}
          {formatCount(line)}; {counted(beyond, "request")} arrived too long after it, and would be problems.
          If that stamp is wrong, or old, import only from a later moment, with lenient reading: lines outside
          are left out, and told.
        </Text>
        {stretch !== null && (
          <Button size="xs" variant="default" onClick={() => onFrom(stretch.from)} h="auto" mih={30} py={4}>
            <span style={{ whiteSpace: "normal" }}>
              Only from {stretch.from}: {counted(stretch.requests, "request")} looked at
            </span>
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
