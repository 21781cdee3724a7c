"use client";

import { createTheme, MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { ZoneProvider } from "./time-zone.tsx";

const theme = createTheme({
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace",
  defaultRadius: "sm",
  autoContrast: true,
  primaryShade: { light: 8, dark: 8 },
});

/** What every page stands in: theme, colour scheme, and the zone in which times are told. */
export function Providers({ zone, children }: { zone: string; children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <ZoneProvider chosen={zone}>{children}</ZoneProvider>
    </MantineProvider>
  );
}
