"use client";

import { Divider, Skeleton, Stack } from "@mantine/core";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import type { DocumentKind, KeptDocument } from "../../contract/round-view.ts";
import {
  type DocumentActions,
  type DocumentValue,
  filesOf,
  keptDocument,
  rememberedDocument,
  useProblems,
} from "./document-state.ts";

const DocumentEditor = dynamic(
  () => import("./document-editor.tsx").then((editor) => editor.DocumentEditor),
  {
    ssr: false,
    loading: () => <Skeleton height={320} role="status" aria-label="Loading the editor" />,
  },
);

const KINDS = ["contract", "policy"] as const;

/** Contract and policy of a round: both are judged together, since a policy is sound only beside its contract (§1.2). */
export function DocumentsSection({
  values,
  kept,
  actions,
  opensRemembered,
  onOpened,
  onChange,
}: {
  values: Record<DocumentKind, DocumentValue>;
  kept: Record<DocumentKind, KeptDocument[]>;
  actions: DocumentActions;
  /** Whether the documents that this browser used last take the place of those the page came with; not known yet: false. */
  opensRemembered: boolean;
  /** Told of those, which nobody has chosen here. */
  onOpened: (kind: DocumentKind, value: DocumentValue) => void;
  onChange: (kind: DocumentKind, value: DocumentValue) => void;
}) {
  const [lists, setLists] = useState(kept);
  const problems = useProblems(values.contract, values.policy);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    if (!opensRemembered) return;
    for (const kind of KINDS) {
      const known = lists[kind].find(({ id }) => id === rememberedDocument(kind));
      if (known === undefined) continue;
      actions.documentText(known.id, known.latest.version).then(
        (found) => {
          if (found !== null && !("problem" in found)) onOpened(kind, keptDocument(found, 1));
        },
        () => {},
      );
    }
  }, [opensRemembered]);
  const keep = async (kind: DocumentKind, name: string, after: number) => {
    const texts = filesOf(values.contract, values.policy);
    const result = await actions.keepDocument({ kind, name, after, texts });
    const list = await actions.listDocuments(kind);
    setLists((current) => ({ ...current, [kind]: list }));
    return result;
  };
  return (
    <Stack gap="md">
      {KINDS.map((kind) => (
        <Stack key={kind} gap="md">
          {kind === "policy" && <Divider />}
          <DocumentEditor
            kind={kind}
            value={values[kind]}
            kept={lists[kind]}
            contractText={values.contract.text}
            problems={problems[kind]}
            actions={actions}
            onChange={(value) => onChange(kind, value)}
            onKeep={(name, after) => keep(kind, name, after)}
          />
        </Stack>
      ))}
    </Stack>
  );
}
