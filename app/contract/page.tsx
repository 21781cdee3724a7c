import type { Metadata } from "next";
import { ContractView } from "../../components/clause/contract-view.tsx";
import { Shell } from "../../components/shell/shell.tsx";
import { contractTexts } from "../../lib/rounds/contract-texts.ts";
import "./contract.css";

export const metadata: Metadata = { title: "Contracts" };

/** The texts that decide, each clause with a link of its own. */
export default async function ContractPage() {
  return (
    <Shell>
      <ContractView {...(await contractTexts())} />
    </Shell>
  );
}
