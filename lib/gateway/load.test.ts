import { Agent } from "node:http";
import { expect, test } from "vitest";
import { sampleOf, TrialGate } from "./trial-gate.ts";

const twoRules = {
  services: [
    {
      name: "api",
      auth: "off",
      price: 0,
      rules: [
        { id: "day", requests: 50, per: "1d" },
        { id: "also", path: "^/", requests: 50, per: "1d" },
      ],
    },
  ],
  trusted_proxies: ["127.0.0.0/8"],
};

/** Connections kept open: more than a machine's backlog at once would be refused by it, not by the gate. */
const agentOf = (maxSockets: number) => new Agent({ keepAlive: true, maxSockets });

test("1000 requests of one client at once, two rules with 50 left: exactly 50, both rules at 0, nobody else waits (G4, G5)", async () => {
  await TrialGate.use(twoRules, {}, async (gate) => {
    const agent = agentOf(200);
    const other = agentOf(1);
    await gate.ask("/check", { agent: other, headers: { "x-forwarded-for": "192.0.2.1" } });
    const ask = (client: string, connections: Agent) =>
      gate.ask("/check", {
        agent: connections,
        headers: { "x-forwarded-uri": "/x", "x-forwarded-for": client },
      });
    let answered = 0;
    const crowd = Array.from({ length: 1000 }, () =>
      ask("203.0.113.7", agent).then((heard) => {
        answered += 1;
        return heard;
      }),
    );
    const { status } = await ask("198.51.100.7", other);
    // Were it queued behind the crowd, all of the crowd would have been answered before it.
    expect([status, answered < 1000]).toEqual([200, true]);
    const heard = await Promise.all(crowd);
    expect(heard.filter((one) => one.status === 200)).toHaveLength(50);
    expect(heard.filter((one) => one.status === 429)).toHaveLength(950);
    const { levels } = gate.told.decisions.findLast(({ client }) => client?.value === "203.0.113.0/24")!;
    expect(levels.map(({ rule, tokens }) => [rule.id, tokens])).toEqual([
      ["day", 0],
      ["also", 0],
    ]);
    agent.destroy();
    other.destroy();
  });
});

test("while a client's request waits for its upstream, another client is decided and so is the same one (G5)", async () => {
  const { createServer } = await import("node:http");
  const waiting: (() => void)[] = [];
  const upstream = createServer((_request, response) => waiting.push(() => response.end("late")));
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const { port } = upstream.address() as { port: number };
  const service = { ...twoRules.services[0], upstream: `http://127.0.0.1:${port}` };
  await TrialGate.use({ ...twoRules, services: [service] }, {}, async (gate) => {
    const ask = (client: string) => gate.ask("/x", { headers: { "x-forwarded-for": client } });
    const held = [ask("203.0.113.7"), ask("203.0.113.7"), ask("198.51.100.7")];
    await expect.poll(() => waiting.length, { interval: 5 }).toBe(3);
    expect((await gate.server.state()).services[0]!.ledger).toMatchObject({ reserved: 3, outstanding: 3 });
    for (const answer of waiting) answer();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await expect.poll(async () => (await gate.server.state()).services[0]!.ledger!.committed).toBe(3);
  });
  upstream.close();
});

const odd = 'a"b\\c\nd';
const mixed = {
  services: [
    {
      name: "api",
      path: "^/api",
      auth: { freebie: 2 },
      price: 5,
      rules: [
        { id: "all", requests: 9, per: "1d" },
        { id: "few", path: "few", requests: 3, per: "1d" },
        { id: "also few", path: "few", requests: 4, per: "1d" },
      ],
    },
    {
      name: odd.replace("\n", ""),
      path: "^/odd",
      auth: "off",
      price: 0,
      max_entries: 2,
      on_pressure: "deny",
      rules: [{ id: 'x"y', requests: 1, per: "1d" }],
    },
  ],
  trusted_proxies: ["127.0.0.0/8"],
  hold_ms: 60_000,
};

test("scraped before and after a load, the metrics are what was told, to the last request (G10, G11)", async () => {
  await TrialGate.use(mixed, {}, async (gate) => {
    const agent = agentOf(16);
    const scrape = async () => (await gate.ask("/metrics")).body;
    await gate.check("10.0.0.1", "/api");
    const [before, from] = [await scrape(), gate.told.decisions.length];
    const paths = ["/api/few", "/api", "/odd", "/nowhere", "/api/few?hold"];
    const held: string[] = [];
    await Promise.all(
      Array.from({ length: 400 }, async (_, index) => {
        const path = paths[index % paths.length]!;
        const headers = { "x-forwarded-uri": path, "x-forwarded-for": `10.${index % 7}.0.1` };
        const heard = await gate.ask(`/check${path.endsWith("hold") ? "?hold" : ""}`, { agent, headers });
        const id = heard.headers["x-admission-id"];
        if (typeof id === "string") held.push(id);
      }),
    );
    expect(held.length).toBeGreaterThan(2);
    await gate.ask(`/admissions/${held[0]}/cancel`, { method: "POST" });
    await gate.ask(`/admissions/${held[1]}/commit`, { method: "POST" });
    for (const [config, from] of [
      [{ services: [] }, 1],
      [mixed, 7],
      [mixed, 1],
    ] as const)
      await gate.admin("POST", "/publish", { config, from });
    await gate.admin("POST", "/stage", { config: null });
    const after = await scrape();
    const risen = (name: string, labels: string) =>
      sampleOf(after, name, labels) - sampleOf(before, name, labels);

    const told = gate.told.decisions.slice(from);
    const count = (fits: (one: (typeof told)[number]) => boolean) => told.filter(fits).length;
    for (const verdict of ["allowed", "denied", "challenged", "unmatched"])
      expect(count((one) => one.verdict === verdict)).toBeGreaterThan(0);
    for (const { name, rules } of gate.server.control.gate.config.services) {
      const service = `service="${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
      const own = (one: (typeof told)[number]) => one.service === name;
      for (const { id } of rules) {
        const labels = `${service},rule="${id.replaceAll('"', '\\"')}"`;
        expect(risen("rule_allowed_total", labels)).toBe(
          count((one) => own(one) && one.verdict === "allowed" && one.rules.includes(id)),
        );
        expect(risen("rule_denied_total", labels)).toBe(
          count((one) => own(one) && one.denied_by.includes(id)),
        );
      }
      for (const pattern of new Set(rules.map(({ path }) => path ?? "")))
        for (const verdict of ["allowed", "denied"] as const) {
          const ids = rules.filter(({ path = "" }) => path === pattern).map(({ id }) => id);
          const matches = told.filter((one) => own(one) && one.verdict === verdict);
          const sum = matches.reduce(
            (all, one) => all + ids.filter((id) => one.rules.includes(id)).length,
            0,
          );
          expect(risen(`${verdict}_total`, `${service},path_pattern="${pattern}"`)).toBe(sum);
        }
      for (const reason of ["rate", "capacity", "client", "unavailable"])
        expect(risen("denied_by_reason_total", `${service},reason="${reason}"`)).toBe(
          count((one) => own(one) && one.reason === reason),
        );
    }
    const updates = (result: string) => sampleOf(after, "updates_total", `result="${result}"`);
    expect(updates("refused")).toBe(gate.told.refusals.length);
    expect(gate.told.refusals.map(({ why, from }) => [why, from])).toEqual([
      ["invalid", 1],
      ["outdated", 7],
      ["invalid", null],
    ]);
    expect(updates("published")).toBe(gate.told.publishes.length - 1);
    expect(risen("decision_seconds_count", "")).toBe(told.length);
    const api = 'service="api"';
    const reserved = count((one) => one.service === "api" && one.verdict === "allowed");
    const ended = risen("admissions_total", `${api},state="committed"`);
    expect(risen("admissions_total", `${api},state="cancelled"`)).toBe(1);
    expect(sampleOf(after, "admissions_outstanding", api)).toBe(held.length - 2);
    expect(ended + 1 + held.length - 2).toBe(reserved);
    agent.destroy();
  });
});

test("no label holds a client, a path or a host of a request (G10)", async () => {
  await TrialGate.use(mixed, {}, async (gate) => {
    await gate.check("10.9.8.7", "/api/secret-path", "", { "x-forwarded-host": "secret.example" });
    const { body } = await gate.ask("/metrics");
    for (const secret of ["secret", "10.9.8", "api/"]) expect(body).not.toContain(secret);
    const labels = new Set([...body.matchAll(/[{,]([a-z_]+)="/g)].map(([, label]) => label));
    expect([...labels].sort()).toEqual([
      "kind",
      "le",
      "path_pattern",
      "reason",
      "result",
      "rule",
      "service",
      "state",
    ]);
  });
});
