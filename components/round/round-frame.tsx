"use client";

import { Anchor, Badge, Group, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import type { RoundListItem } from "../../contract/round-view.ts";
import { counted } from "../format/format.ts";
import { type LookAlikes, LookAlikesKnown } from "../name/look-alikes.tsx";
import { Name } from "../name/name.tsx";
import { RecheckPanel, type Withheld } from "../recheck/recheck-panel.tsx";
import { Moment } from "../shell/moment.tsx";
import { FalseGreenBanner } from "../signals/false-green-banner.tsx";
import { SealAlert } from "../signals/seal-alert.tsx";
import { SignalStrip } from "../signals/signal-strip.tsx";
import { TwoCounts } from "../signals/two-counts.tsx";
import { RoundClock } from "./round-clock.tsx";

/** The views of a round, also of one behind a link. */
const TABS = [
  ["", "Overview"],
  ["/buckets", "Buckets"],
  ["/dispatch", "Dispatch"],
  ["/breaches", "Breaches"],
  ["/diff", "Diff"],
  ["/checks", "Checks"],
  ["/inputs", "Inputs"],
] as const;
/** What is worked out on request is not asked for through a link. */
const OWN_TABS = [...TABS, ["/start", "Start states"]] as const;

function Tabs({ basePath, isOwn }: { basePath: string; isOwn: boolean }) {
  const path = usePathname();
  return (
    <Group
      component="nav"
      aria-label="Views of this round"
      gap={4}
      className="no-print"
      style={{ borderBottom: "1px solid var(--mantine-color-default-border)" }}
    >
      {(isOwn ? OWN_TABS : TABS).map(([suffix, title]) => {
        const isHere = path === `${basePath}${suffix}`;
        return (
          <Anchor
            key={suffix}
            component={Link}
            href={`${basePath}${suffix}`}
            aria-current={isHere ? "page" : undefined}
            px="sm"
            py={6}
            fw={isHere ? 700 : 400}
            underline="never"
            style={{
              borderBottom: `3px solid ${isHere ? "var(--mantine-primary-color-filled)" : "transparent"}`,
            }}
          >
            {title}
          </Anchor>
        );
      })}
    </Group>
  );
}

/** What stands on every page of a round: its name, the banners, the five signals, and the ways to its views. */
export function RoundFrame({
  round,
  basePath,
  apiPath,
  withholds = null,
  alike,
  isShared = false,
  actions,
  children,
}: {
  round: RoundListItem;
  basePath: string;
  /** Where the round's bundle is asked for. */
  apiPath: string;
  /** What whoever looks at the round may not have of it. */
  withholds?: Withheld | null;
  /** Tenants that are drawn like others of the round. */
  alike: LookAlikes;
  /** Seen through a link. */
  isShared?: boolean;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { summary } = round;
  return (
    <LookAlikesKnown names={alike}>
      <RoundClock start_at_ms={round.log_start_at_ms}>
        <Stack gap="sm">
          <Group justify="space-between" align="flex-start">
            <Stack gap={2} miw={0}>
              <Title order={1} size="h2" style={{ overflowWrap: "anywhere" }}>
                <Name value={round.name} max={100} />
              </Title>
              <Group gap="xs">
                <Text size="sm" c="dimmed">
                  Started <Moment at_ms={round.created_at_ms} />, {round.reading} reading
                  {round.log_start_at_ms !== null && (
                    <>
                      ; the log begins <Moment at_ms={round.log_start_at_ms} />
                    </>
                  )}
                </Text>
                {isShared && (
                  <Badge variant="outline" radius="sm">
                    Shared by link, read-only
                  </Badge>
                )}
                {round.audit !== null && (
                  <Badge variant="outline" radius="sm">
                    Audit: the report was made elsewhere
                  </Badge>
                )}
                {round.faults.length > 0 && (
                  <Badge color="grape" variant="outline" radius="sm">
                    {counted(round.faults.length, "fault")} injected
                  </Badge>
                )}
              </Group>
            </Stack>
            {actions}
          </Group>
          <SealAlert seal={round.seal} />
          {summary !== null && <FalseGreenBanner summary={summary} />}
          {summary !== null && <SignalStrip board={summary.board} />}
          {summary !== null && <TwoCounts summary={summary} />}
          {summary !== null && (
            <RecheckPanel
              bundleUrl={`${apiPath}/bundle`}
              withholds={withholds}
              claims={
                round.seal.state === "kept"
                  ? { health: summary.health, truth: summary.truth.checks === 0 ? null : summary.truth }
                  : null
              }
              requests={summary.requests}
              diffPath={`${basePath}/diff`}
            />
          )}
          {round.state === "done" && <Tabs basePath={basePath} isOwn={!isShared} />}
          {summary !== null && round.audit !== null && (
            <Text size="sm" c="dimmed">
              Nothing here was decided by this program's engine. Buckets, dispatch, breaches and verdicts over
              time are the reference's; what the report says otherwise, or not at all, stands in the diff.
            </Text>
          )}
          {children}
        </Stack>
      </RoundClock>
    </LookAlikesKnown>
  );
}
