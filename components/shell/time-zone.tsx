"use client";

import { NativeSelect } from "@mantine/core";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { isZone, UTC } from "../format/zoned-time.ts";
import { LiveControls } from "./live-controls.tsx";
import { ZONE_COOKIE } from "./zone-cookie.ts";

const YEAR_S = 365 * 86_400;

const ZoneContext = createContext<{ zone: string; setZone: (zone: string) => void }>({
  zone: UTC,
  setZone: () => {},
});

/** The zone in which this screen tells time. */
export const useZone = (): string => useContext(ZoneContext).zone;

/** Gives every page its zone: what the reader chose before, else UTC. */
export function ZoneProvider({ chosen, children }: { chosen: string; children: ReactNode }) {
  const [zone, setZone] = useState(isZone(chosen) ? chosen : UTC);
  const keep = (next: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
    document.cookie = `${ZONE_COOKIE}=${encodeURIComponent(next)}; path=/; max-age=${YEAR_S}; samesite=lax`;
    setZone(next);
  };
  return <ZoneContext value={{ zone, setZone: keep }}>{children}</ZoneContext>;
}

/** Switches the zone. The long list is made in the browser, which knows its own zone too. */
export function ZoneSelect() {
  const { zone, setZone } = useContext(ZoneContext);
  const [zones, setZones] = useState<string[]>([]);
  useEffect(() => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    setZones([...new Set([own, ...Intl.supportedValuesOf("timeZone")])]);
  }, []);
  const choices = [...new Set([UTC, zone, ...zones])];
  return (
    <LiveControls>
      <NativeSelect
        size="xs"
        aria-label="Time zone of this screen"
        data={choices.map((value) => ({ value, label: `Times in ${value}` }))}
        value={zone}
        onChange={(event) => setZone(event.currentTarget.value)}
        w={200}
      />
    </LiveControls>
  );
}
