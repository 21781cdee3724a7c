import type { RuleFault } from "./fault.ts";

export const hardcodedOk: RuleFault = {
  kind: "rule",
  id: "hardcoded-ok",
  clause: "§4",
  title: "ok is a constant",
  summary: "The report says ok: true whatever it holds.",
  replaces: "claimOk",
  rules: () => ({ claimOk: () => true }),
};
