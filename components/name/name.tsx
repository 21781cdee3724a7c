import { clipGraphemes, visibleName } from "./visible-name.ts";

/** A name that strangers chose: isolated from the text around it, nothing invisible, clipped, whole on hover. */
export function Name({ value, max = 40 }: { value: string; max?: number }) {
  const shown = visibleName(value);
  const clipped = clipGraphemes(shown, max);
  const isClipped = clipped !== shown;
  return (
    <bdi
      style={{
        fontFamily: "var(--mantine-font-family-monospace)",
        fontSize: "0.95em",
        overflowWrap: "break-word",
      }}
      {...(isClipped ? { title: shown } : {})}
    >
      {clipped}
    </bdi>
  );
}
