"use client";

import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { type Told, ToldForm } from "../shell/told.tsx";

/** Starts a comparison and goes to it. A form, since to look at a page must start nothing; it works without a script too. */
export function CompareButton({
  action,
  children,
  ...button
}: { action: () => Promise<Told>; children: ReactNode } & ButtonProps) {
  return (
    <ToldForm action={action}>
      <Button type="submit" {...button}>
        {children}
      </Button>
    </ToldForm>
  );
}
