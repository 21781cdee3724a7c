"use client";

import { Box } from "@mantine/core";

/** A or B: a letter in a shape and a colour of its own, so that no side is taken for the other. */
export function SideMark({ side }: { side: "A" | "B" }) {
  return (
    <Box
      component="span"
      aria-label={`Side ${side}`}
      role="img"
      style={{
        display: "inline-flex",
        alignItems: "center",
        justifyContent: "center",
        width: "1.5em",
        height: "1.5em",
        flexShrink: 0,
        fontSize: "0.85em",
        fontWeight: 700,
        color: "#fff",
        background: side === "A" ? "var(--side-a)" : "var(--side-b)",
        borderRadius: side === "A" ? "50%" : "3px",
      }}
    >
      {side}
    </Box>
  );
}
