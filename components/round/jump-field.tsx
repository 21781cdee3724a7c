"use client";

import { TextInput } from "@mantine/core";
import type { KeyboardEvent } from "react";

/** Leads to the row of a request by its id. Key g comes here from anywhere on the page. */
export function JumpField({ value, onJump }: { value: string; onJump: (req_id: string) => void }) {
  const jump = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    onJump(event.currentTarget.value);
  };
  return (
    <TextInput
      label="Go to request"
      placeholder="Its id, then Enter"
      defaultValue={value}
      data-shortcut="g"
      onKeyDown={jump}
    />
  );
}
