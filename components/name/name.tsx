import type { ClipboardEvent } from "react";
import { clipGraphemes, visibleName } from "./visible-name.ts";

/** Copied whole, a name goes to the clipboard as it is, not as it is shown. */
const copyAsIs = (value: string, shown: string) => (event: ClipboardEvent) => {
  if (window.getSelection()?.toString() !== shown) return;
  event.clipboardData.setData("text/plain", value);
  event.preventDefault();
};

/**
 * A name that strangers chose: isolated from the text around it, nothing invisible, clipped by grapheme; whole on hover
 * and on focus, its own or that of the link around it.
 */
export function Name({
  value,
  max = 40,
  isLinked = false,
}: {
  value: string;
  max?: number;
  /** Stands in a link, whose focus it shares. */
  isLinked?: boolean;
}) {
  const shown = visibleName(value);
  const clipped = clipGraphemes(shown, max);
  const whole =
    clipped === shown ? {} : { title: shown, "data-whole": shown, tabIndex: isLinked ? undefined : 0 };
  return (
    <bdi className="name" onCopy={copyAsIs(value, clipped)} {...whole}>
      {clipped}
    </bdi>
  );
}
