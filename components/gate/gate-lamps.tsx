"use client";

import { Group } from "@mantine/core";
import type { GateState } from "../../contract/gate-admin.ts";
import type { GateLedger } from "../../contract/gate-case.ts";
import { counted, formatCount } from "../format/format.ts";
import { Lamp, type LampClaim } from "./lamp.tsx";

type Found = { claim: LampClaim; word: string; evidence: string };

/** reserved = committed + cancelled + expired + outstanding (G4), of every service by itself. */
function ledgerLamp({ services }: GateState): Found {
  const ledgers = services.map(({ ledger }) => ledger);
  const known = ledgers.filter((ledger): ledger is GateLedger => ledger !== null);
  if (known.length < ledgers.length || known.length === 0)
    return { claim: "unknown", word: "not found", evidence: "the store could not be read" };
  const sum = (field: keyof GateLedger) => known.reduce((total, ledger) => total + ledger[field], 0);
  const evidence =
    `${formatCount(sum("reserved"))} reserved; ${formatCount(sum("committed"))} committed, ` +
    `${formatCount(sum("cancelled"))} cancelled, ${formatCount(sum("expired"))} expired, ` +
    `${formatCount(sum("outstanding"))} outstanding`;
  const balances = ({ reserved, committed, cancelled, expired, outstanding }: GateLedger) =>
    reserved === committed + cancelled + expired + outstanding;
  if (!known.every(balances)) return { claim: "unwell", word: "does not add up", evidence };
  if (sum("reserved") === 0)
    return { claim: "unknown", word: "no evidence", evidence: "nothing was reserved since the gate started" };
  return { claim: "well", word: "adds up", evidence };
}

/** Buckets held against the bound of each service (G6). */
function boundLamp({ services }: GateState): Found {
  if (services.some(({ entries }) => entries === null))
    return { claim: "unknown", word: "not found", evidence: "the store could not be read" };
  const above = services.filter(({ entries, max_entries }) => entries! > max_entries);
  const held = services.reduce((sum, { entries }) => sum + entries!, 0);
  const evidence = `${counted(held, "bucket")} held in ${counted(services.length, "service")}`;
  if (above.length > 0)
    return { claim: "unwell", word: "exceeded", evidence: `${evidence}; above the bound in ${above.length}` };
  if (held === 0) return { claim: "unknown", word: "no evidence", evidence: "no bucket is held" };
  return { claim: "well", word: "kept", evidence };
}

function logLamp({ log }: GateState): Found {
  if (log === null)
    return { claim: "unknown", word: "none", evidence: "no decision log is written: nothing can be audited" };
  if (log.lost > 0)
    return {
      ...{ claim: "unwell", word: "lost lines" },
      evidence: `${counted(log.lost, "line")} lost of ${formatCount(log.lost + log.lines)}: ${log.problem ?? ""}`,
    };
  if (log.lines === 0) return { claim: "unknown", word: "empty", evidence: "no line was written yet" };
  return { claim: "well", word: "whole", evidence: `${counted(log.lines, "line")} written, none lost` };
}

/** What the gate says of itself, each claim with its evidence. Whether it is true, its log's audit tells. */
export function GateLamps({ state }: { state: GateState }) {
  return (
    <Group
      component="ul"
      aria-label="Gate's own claims"
      align="stretch"
      gap="xs"
      p={0}
      m={0}
      style={{ listStyle: "none" }}
    >
      <Lamp
        id="ready"
        title="Ready"
        claim={state.ready ? "well" : "unwell"}
        word={state.ready ? "yes" : "no"}
        evidence={`version ${state.version}, ${state.store === "shared" ? "a shared store" : "in memory"}`}
      />
      <Lamp id="ledger" title="Ledger" {...ledgerLamp(state)} />
      <Lamp id="bound" title="Bound" {...boundLamp(state)} />
      <Lamp id="log" title="Decision log" {...logLamp(state)} />
    </Group>
  );
}
