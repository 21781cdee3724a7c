"use client";

import { Anchor } from "@mantine/core";
import { clauseParts } from "./clauses.ts";

/** A text whose clause numbers lead to the contract. */
export function ClauseText({ text }: { text: string }) {
  return clauseParts(text).map((part) =>
    part.href === null ? (
      part.text
    ) : (
      // Underlined: beside other text a colour alone does not tell a link.
      // A plain link: a click into the contract is rare, and its page is not worth fetching for each row.
      <Anchor key={part.at} href={part.href} inherit underline="always">
        {part.text}
      </Anchor>
    ),
  );
}
