"use client";

import { ActionIcon, Anchor, Box, Container, Group, Text, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
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

/** What leads where; pages that are seldom gone to are not fetched beforehand. */
const PLACES = [
  { href: "/rounds", title: "Rounds", prefetch: null },
  { href: "/rounds/new", title: "New round", prefetch: null },
  { href: "/compare", title: "Compare", prefetch: false },
  { href: "/faults", title: "Fault lab", prefetch: false },
  { href: "/audit", title: "Audit", prefetch: false },
  { href: "/gate", title: "Gate", prefetch: false },
  { href: "/contract", title: "Contracts", prefetch: false },
] as const;

/** The ways to all pages; where one is stands out, also for those who do not see it. */
function MainNav() {
  const path = usePathname();
  // The last that fits is the nearest: a page stands behind the one it is below.
  const here = PLACES.findLast(({ href }) => path === href || path.startsWith(`${href}/`));
  return (
    <Group component="nav" aria-label="Main" gap="md">
      {PLACES.map(({ href, title, prefetch }) => (
        <Anchor
          key={href}
          component={Link}
          href={href}
          size="sm"
          prefetch={prefetch}
          fw={href === here?.href ? 700 : 400}
          aria-current={href !== here?.href ? undefined : href === path ? "page" : "true"}
        >
          {title}
        </Anchor>
      ))}
    </Group>
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
                <MainNav />
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
