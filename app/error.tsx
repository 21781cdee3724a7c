"use client";

import { ErrorView } from "../components/shell/error-view.tsx";
import { Shell } from "../components/shell/shell.tsx";

export default function ErrorPage({ reset }: { error: Error; reset: () => void }) {
  return (
    <Shell>
      <ErrorView onRetry={reset} />
    </Shell>
  );
}
