/** The rooms of ARCHITECTURE.md, as rules: what a folder may import, and why. */
const room = (name, allowed, comment) => ({
  name: `room-${name}`,
  comment,
  severity: "error",
  from: { path: `^lib/${name}/`, pathNot: "\\.(test|bench)\\.tsx?$" },
  to: { path: "^(app|components|contract|lib)/", pathNot: [`^lib/${name}/`, ...allowed] },
});

export default {
  forbidden: [
    {
      name: "reference-reaches-no-engine",
      comment:
        "Health is worth something only while the reference shares no line with the engine (§5.1), not even through a third file.",
      severity: "error",
      from: { path: "^lib/reference/", pathNot: "\\.test\\.ts$" },
      to: { path: "^lib/(engine|faults|ingest|health|rounds|store|acceptance)/", reachable: true },
    },
    {
      name: "reference-imports-only-types",
      comment:
        "The reference takes its own way from text to figures: of the contract it knows the types, of libraries nothing (§5.1).",
      severity: "error",
      from: { path: "^lib/reference/", pathNot: "\\.(test|bench)\\.ts$" },
      to: { pathNot: "^lib/reference/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "engine-reaches-no-reference",
      comment: "The other direction of the same wall.",
      severity: "error",
      from: { path: "^lib/(engine|ingest|faults)/", pathNot: "\\.test\\.ts$" },
      to: { path: "^lib/(reference|probe)/", reachable: true },
    },
    {
      name: "probe-is-an-outside-view",
      comment: "The probe knows contract, inputs and report; nothing of engine, health or rounds (§5.5).",
      severity: "error",
      from: { path: "^lib/probe/", pathNot: "\\.test\\.ts$" },
      to: { path: "^lib/(engine|faults|ingest|health|rounds|store|acceptance)/", reachable: true },
    },
    ...[
      ["acceptance", "health"],
      ["health", "acceptance"],
    ].map(([lamp, other]) => ({
      name: `lamp-of-${lamp}-shares-no-code`,
      comment:
        "A lamp is worth something only while it does not share the code of another (§5.5), not even through a third file. Two things are shared, and on purpose: probe and health both stand on the reference, each with a comparison of its own, and the exit status is what health's checks come to (§5.4). The checksum of a report's content is handed to acceptance as a value.",
      severity: "error",
      from: { path: `^lib/${lamp}/`, pathNot: "\\.test\\.ts$" },
      to: { path: `^lib/(${other}|engine|reference|probe|faults|ingest|rounds|store)/`, reachable: true },
    })),
    {
      name: "contract-imports-only-zod",
      comment: "What is true depends on nothing but its schema language.",
      severity: "error",
      from: { path: "^contract/", pathNot: "\\.test\\.ts$" },
      to: { pathNot: ["^contract/", "^node_modules/zod/"] },
    },
    room("reference", ["^contract/"], "Contract only, types only."),
    room(
      "probe",
      ["^contract/", "^lib/(reference|report-file)/"],
      "Contract, the reference, and the reader of large reports: a parser, which compares nothing.",
    ),
    room("report-file", ["^contract/"], "Reads a report of any size, and judges nothing."),
    room("bundle", ["^contract/"], "A file format: it runs in Node and in a browser, and judges nothing."),
    room(
      "recheck",
      ["^contract/", "^lib/(bundle|health|probe|reference)/"],
      "A round judged again where the server is not believed: the reference and both comparisons, nothing of the engine.",
    ),
    {
      name: "recheck-runs-in-a-browser",
      comment: "What the browser's worker is made of reaches no disk, no process and no line of the engine.",
      severity: "error",
      from: { path: "^lib/(bundle|recheck)/", pathNot: "\\.(test|bench)\\.ts$" },
      to: {
        path: "^(node:|(fs|path|crypto|stream|os|child_process)$|lib/(engine|faults|ingest|rounds|store|acceptance)/)",
        reachable: true,
      },
    },
    room("acceptance", ["^contract/"], "Criteria that need no recomputation read inputs and report alone."),
    room("engine", ["^contract/"], "Decides by the contract; knows nobody else."),
    room("health", ["^contract/"], "Compares two results and knows neither side."),
    room(
      "ingest",
      ["^contract/", "^lib/gate/(client|expression|path)\\.ts$"],
      "Turns files into what the contract describes; addresses, paths and expressions are read as the live limiter reads them.",
    ),
    room("store", ["^contract/"], "Keeps what it is given."),
    room(
      "faults",
      ["^contract/", "^lib/(engine|gate)/"],
      "Each fault replaces one rule of the engine or one part of the gate, or falsifies one signal.",
    ),
    room("gate", ["^contract/"], "The live limiter stands alone."),
    room(
      "decision-log",
      ["^contract/", "^lib/gate/"],
      "Writes down what the gate tells; nobody reads it here.",
    ),
    room(
      "gateway",
      ["^contract/", "^lib/(gate|decision-log|ingest|store)/"],
      "The gate's server: decides by the gate, reads its files as all files are read, keeps its versions on disk.",
    ),
    room(
      "rounds",
      [
        "^contract/",
        "^lib/(engine|reference|health|acceptance|faults|ingest|store|probe|gate|decision-log|bundle|recheck|report-file)/",
      ],
      "The use cases put the rooms together.",
    ),
    room(
      "gate-console",
      ["^contract/", "^lib/(gateway|decision-log|ingest|rounds)/"],
      "What the console asks of a gate: its admin interface, and what its log comes to.",
    ),
    room(
      "cli",
      ["^contract/", "^lib/(rounds|gate|gateway|probe|recheck)/"],
      "Thin verbs over the use cases.",
    ),
    {
      name: "components-show",
      comment:
        "Components take props; they know the contract's types and each other. One hook, recheck/use-recheck, starts the recheck's worker by its address: what the worker is made of never becomes a part of a page.",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^(app|lib)/" },
    },
    {
      name: "app-goes-through-rounds",
      comment: "A page reads the request and makes one call; it does not reach behind the use cases.",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^lib/(engine|reference|faults|store|probe|acceptance)/" },
    },
    {
      name: "no-circles",
      comment: "A circle means two files that are one.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      comment: "An import that leads nowhere.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\.css$" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js"],
      conditionNames: ["import", "node", "default"],
      exportsFields: ["exports"],
    },
  },
};
