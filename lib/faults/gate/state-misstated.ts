import type { StatedBucket, Statement } from "../../gate/stated.ts";
import type { GateFault } from "./gate-fault.ts";

/** The bucket as if one token had never been taken from it. */
const oneMore = (bucket: StatedBucket): StatedBucket => ({
  ...bucket,
  num: BigInt(bucket.num) + BigInt(bucket.den),
});

const misstated = (honest: Statement): Statement => ({
  ...honest,
  buckets: honest.buckets.map(({ service, buckets }) => ({ service, buckets: buckets.map(oneMore) })),
});

export const stateMisstated: GateFault = {
  id: "state-misstated",
  clause: "G11",
  title: "The state is misstated at a rotation",
  summary:
    "Where a file of the log begins, balances are stated as higher than they are, so that whoever has only that file takes too many admissions for right.",
  stated: misstated,
};
