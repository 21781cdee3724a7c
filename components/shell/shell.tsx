"use client";

import { ActionIcon, Anchor, Box, Container, Group, Text, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { LiveControls } from "./live-controls.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { ZoneSelect } from "./time-zone.tsx";

function SchemeToggle() {
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <LiveControls>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label="Switch between light and dark"
        onClick={toggleColorScheme}
      >
        <Box lightHidden component="span">
          <IconSun size={18} aria-hidden />
        </Box>
        <Box darkHidden component="span">
          <IconMoon size={18} aria-hidden />
        </Box>
      </ActionIcon>
    </LiveControls>
  );
}

/** Header and main landmark. Without `nav` the page leads nowhere else: that is what a shared round shows. */
export function Shell({ nav = true, children }: { nav?: boolean; children: ReactNode }) {
  return (
    <>
      <Box
        component="header"
        className="no-print"
        style={{ borderBottom: "1px solid var(--mantine-color-default-border)" }}
      >
        <Container size={1600} py="xs">
          <Group justify="space-between" gap="sm">
            {nav ? (
              <Group gap="lg">
                <Anchor component={Link} href="/rounds" fw={700} c="inherit" underline="never">
                  tenantthrottle
                </Anchor>
                <Group component="nav" aria-label="Main" gap="md">
                  <Anchor component={Link} href="/rounds" size="sm">
                    Rounds
                  </Anchor>
                  <Anchor component={Link} href="/rounds/new" size="sm">
                    New round
                  </Anchor>
                  <Anchor component={Link} href="/compare" size="sm" prefetch={false}>
                    Compare
                  </Anchor>
                  <Anchor component={Link} href="/faults" size="sm" prefetch={false}>
                    Fault lab
                  </Anchor>
                  <Anchor component={Link} href="/audit" size="sm" prefetch={false}>
                    Audit
                  </Anchor>
                  <Anchor component={Link} href="/gate" size="sm" prefetch={false}>
                    Gate
                  </Anchor>
                  <Anchor component={Link} href="/contract" size="sm" prefetch={false}>
                    Contracts
                  </Anchor>
                </Group>
              </Group>
            ) : (
              <Text fw={700}>tenantthrottle</Text>
            )}
            <Group gap="sm">
              <ZoneSelect />
              <Shortcuts />
              <SchemeToggle />
            </Group>
          </Group>
        </Container>
      </Box>
      <Container component="main" id="main" size={1600} py="md">
        {children}
      </Container>
    </>
  );
}
