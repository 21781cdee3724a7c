"use client";

import { Alert } from "@mantine/core";
import { unstable_rethrow } from "next/navigation";
import { type ReactNode, useActionState, useState, useTransition } from "react";
import { Name } from "../name/name.tsx";

/** What comes of asking the server to do something: null where it was done, else why not. */
export type Told = string | null;

const UNANSWERED = "The server did not answer: it is not known whether it was done.";

/** Why something was not done; nothing where nothing is known to be wrong. */
export function NotDone({ problem }: { problem: Told }) {
  if (problem === null) return null;
  return (
    <Alert color="red" title="Not done" role="alert">
      <Name value={problem} max={2000} />
    </Alert>
  );
}

/** Asks the server for one thing at a time, and keeps why it was not done. */
export function useTold(): { problem: Told; isBusy: boolean; ask: (work: () => Promise<Told>) => void } {
  const [problem, setProblem] = useState<Told>(null);
  const [isBusy, startTransition] = useTransition();
  const ask = (work: () => Promise<Told>) =>
    startTransition(async () => {
      setProblem(null);
      try {
        setProblem((await work()) ?? null);
      } catch (error) {
        // An answer that leads to another page is an error to React.
        unstable_rethrow(error);
        setProblem(UNANSWERED);
      }
    });
  return { problem, isBusy, ask };
}

/** A form whose button has the server do something; it works without a script too, and says why it was not done. */
export function ToldForm({ action, children }: { action: () => Promise<Told>; children: ReactNode }) {
  const [problem, submit] = useActionState(action, null);
  return (
    <form action={submit}>
      {children}
      <NotDone problem={problem ?? null} />
    </form>
  );
}
