import type { FreebieStore } from "../../gate/freebies.ts";
import type { GateFault } from "./gate-fault.ts";

const spending = (honest: FreebieStore): FreebieStore => ({
  read(service, client) {
    const used = honest.read(service, client);
    honest.count(service, client, Number.MAX_SAFE_INTEGER);
    return used;
  },
  count: () => true,
  giveBack: (service, client) => honest.giveBack(service, client),
});

export const freebieSpentOnRefusal: GateFault = {
  id: "freebie-spent-on-refusal",
  clause: "G7",
  title: "A refused request spends a freebie",
  summary: "Free requests are counted before the limiter has its say.",
  freebies: spending,
};
