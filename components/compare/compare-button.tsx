"use client";

import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";

/** Starts a comparison and goes to it. A form, since to look at a page must start nothing; it works without a script too. */
export function CompareButton({
  action,
  children,
  ...button
}: { action: () => Promise<void>; children: ReactNode } & ButtonProps) {
  return (
    <form action={action}>
      <Button type="submit" {...button}>
        {children}
      </Button>
    </form>
  );
}
