import type { FreebieStore } from "../../gate/freebies.ts";
import type { GateFault } from "./gate-fault.ts";

const keeping = (honest: FreebieStore): FreebieStore => ({
  read: (service, client) => honest.read(service, client),
  count: (service, client, most) => honest.count(service, client, most),
  giveBack: () => {},
});

export const freebieKeptOnCancel: GateFault = {
  id: "freebie-kept-on-cancel",
  clause: "G7",
  title: "A cancel keeps the freebie",
  summary: "A cancelled admission gives its tokens back, but not the free request.",
  freebies: keeping,
};
