"use client";

import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** What nobody can overlook: white on red, in light and dark alike. */
export function LoudAlert({
  title,
  testId,
  children,
}: {
  title: string;
  testId: string;
  children: ReactNode;
}) {
  return (
    <Alert
      variant="filled"
      styles={{
        root: { background: "#9c1c10" },
        title: { color: "#fff" },
        message: { color: "#fff" },
        icon: { color: "#fff" },
      }}
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      data-testid={testId}
    >
      {children}
    </Alert>
  );
}
