import { VisuallyHidden } from "@mantine/core";
import type { ClipboardEvent } from "react";
import { useSpelling } from "./look-alikes.tsx";
import { clipGraphemes, visibleName } from "./visible-name.ts";

/** Copied whole, a name goes to the clipboard as it is, not as it is shown. */
const copyAsIs = (value: string, shown: string) => (event: ClipboardEvent) => {
  if (window.getSelection()?.toString() !== shown) return;
  event.clipboardData.setData("text/plain", value);
  event.preventDefault();
};

/** That another name looks like this one: seen as a mark, heard in words. */
function AlikeMark({ spelling }: { spelling: string }) {
  return (
    <span className="alike" title={spelling}>
      <span aria-hidden>≈</span>
      <VisuallyHidden component="span">({spelling}) </VisuallyHidden>
    </span>
  );
}

/**
 * A name that strangers chose: isolated from the text around it, nothing invisible, clipped by grapheme; whole on hover
 * and on focus, its own or that of the link around it. One that another name of the round looks like is marked, and
 * spelled in code points there.
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
  const spelling = useSpelling(value);
  const told = [clipped === shown ? null : shown, spelling].filter((text) => text !== null).join("\n");
  const whole = told === "" ? {} : { title: told, "data-whole": told, tabIndex: isLinked ? undefined : 0 };
  return (
    <>
      {/* Before the name: what is cut off in a narrow place is its end. */}
      {spelling !== null && <AlikeMark spelling={spelling} />}
      <bdi className="name" onCopy={copyAsIs(value, clipped)} {...whole}>
        {clipped}
      </bdi>
    </>
  );
}
