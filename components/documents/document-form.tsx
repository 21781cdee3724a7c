"use client";

import { Text } from "@mantine/core";
import { useRef } from "react";
import type { InputProblem } from "../../contract/input.ts";
import type { DocumentKind } from "../../contract/round-view.ts";
import { ContractForm } from "./contract-form.tsx";
import { readContractValues, tierNames, writeContractValues } from "./contract-values.ts";
import { type JsonNode, printTree, readTree } from "./json-tree.ts";
import { PolicyForm } from "./policy-form.tsx";
import { readPolicyValues, writePolicyValues } from "./policy-values.ts";
import { ProblemLines } from "./problem-lines.tsx";

interface FormProps {
  kind: DocumentKind;
  text: string;
  contractText: string;
  problems: readonly InputProblem[];
  onChange: (text: string) => void;
}

/** The form over a document as it was when the form was opened: what the form does not show stays in it. */
function OpenForm({
  kind,
  tree,
  contractText,
  problems,
  onChange,
}: Omit<FormProps, "text"> & { tree: JsonNode }) {
  if (kind === "contract") {
    const values = readContractValues(tree);
    if (values !== null)
      return (
        <ContractForm
          initial={values}
          problems={problems}
          onChange={(changed) => onChange(printTree(writeContractValues(tree, changed)))}
        />
      );
  } else {
    const values = readPolicyValues(tree);
    if (values !== null)
      return (
        <PolicyForm
          initial={values}
          tiers={tierNames(readTree(contractText))}
          problems={problems}
          onChange={(changed) => onChange(printTree(writePolicyValues(tree, changed)))}
        />
      );
  }
  return (
    <>
      <Text size="sm">The form cannot show this text without losing a part of it; edit it as JSON.</Text>
      <ProblemLines problems={problems} />
    </>
  );
}

/** A document as a form, or why it cannot be one. */
export function DocumentForm(props: FormProps) {
  const tree = useRef<JsonNode | null | undefined>(undefined);
  if (tree.current === undefined) tree.current = readTree(props.text);
  if (tree.current === null)
    return (
      <>
        <Text size="sm">The text is no JSON; put it right as JSON first.</Text>
        <ProblemLines problems={props.problems} />
      </>
    );
  return <OpenForm {...props} tree={tree.current} />;
}
