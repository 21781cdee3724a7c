"use client";

import { useEffect, useState } from "react";
import { formatMoment, formatRelative } from "../format/zoned-time.ts";
import { useZone } from "./time-zone.tsx";

const EVERY_MS = 30_000;

function useNow(): number {
  const [now_ms, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now_ms;
}

/** A moment on this screen's clock. */
export function Moment({ at_ms }: { at_ms: number }) {
  return <time dateTime={new Date(at_ms).toISOString()}>{formatMoment(at_ms, useZone())}</time>;
}

/** How long ago a moment was; on hover and focus, and on paper, the moment itself, in the place that is kept for it. */
export function RelativeMoment({ at_ms }: { at_ms: number }) {
  const absolute = formatMoment(at_ms, useZone());
  // The server's answer is a moment older than the browser's first look at it.
  return (
    <time className="moment" dateTime={new Date(at_ms).toISOString()} tabIndex={0}>
      <span className="moment-relative" suppressHydrationWarning>
        {formatRelative(at_ms, useNow())}
      </span>
      <span className="moment-absolute">{absolute}</span>
    </time>
  );
}
