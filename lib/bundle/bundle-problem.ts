/** Why a file is no bundle that can be judged, in words for people. */
export class BundleProblem extends Error {}
