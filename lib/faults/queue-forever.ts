import type { RuleFault } from "./fault.ts";

export const queueForever: RuleFault = {
  kind: "rule",
  id: "queue-forever",
  clause: "§3.4",
  title: "Queued without end",
  summary: "The grace is not looked at: what waits too long, or for ever, is queued.",
  replaces: "expires",
  rules: () => ({ expires: () => false }),
};
