"use client";

import { Anchor, SimpleGrid, Table, Text } from "@mantine/core";
import Link from "next/link";
import type { Comparison } from "../../contract/comparison.ts";
import { VERDICTS } from "../../contract/verdicts.ts";
import { formatCount, formatTokens } from "../format/format.ts";
import { VerdictText } from "../round/verdict-text.tsx";
import { SideMark } from "./side-mark.tsx";
import { SidesHead } from "./sides-head.tsx";

/** A difference with its sign; the same is said in words. */
function change(a: number, b: number): string {
  if (a === b) return "the same";
  // Differences of printed doubles carry their noise.
  const by = Number((b - a).toPrecision(12));
  return by > 0 ? `+${formatTokens(by)}` : `−${formatTokens(-by)}`;
}

function Figures({ comparison }: { comparison: Comparison }) {
  const { counts, totals, breaches, requests } = comparison;
  const rows: [string, number, number][] = [
    ["requests", requests.a, requests.b],
    ...(["accepted", "queued", "rejected"] as const).map((field): [string, number, number] => [
      field,
      counts.a[field],
      counts.b[field],
    ]),
    ["tenants with a breach", counts.a.reserve_breached, counts.b.reserve_breached],
    ["requests that broke a reserve", breaches.a, breaches.b],
    ["used, tokens", totals.a.used, totals.b.used],
    ["capacity, tokens", totals.a.capacity, totals.b.capacity],
    ["over capacity, tokens", totals.a.over_capacity, totals.b.over_capacity],
  ];
  return (
    <Table verticalSpacing={4} captionSide="top">
      <Table.Caption ta="left" c="inherit" fz="sm" fw={600}>
        Figures
      </Table.Caption>
      <SidesHead first="Figure" last="From A to B" align="right" />
      <Table.Tbody>
        {rows.map(([label, a, b]) => (
          <Table.Tr key={label}>
            <Table.Td>{label}</Table.Td>
            <Table.Td ta="right">{formatTokens(a)}</Table.Td>
            <Table.Td ta="right">{formatTokens(b)}</Table.Td>
            <Table.Td ta="right" fw={a === b ? 400 : 700}>
              {change(a, b)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function VerdictMatrix({
  comparison,
  href,
}: {
  comparison: Comparison;
  href: (from: string, to: string) => string;
}) {
  const count = (a: string, b: string) =>
    comparison.verdicts.find((cell) => cell.a === a && cell.b === b)?.count ?? 0;
  return (
    <Table verticalSpacing={4} captionSide="top">
      <Table.Caption ta="left" c="inherit" fz="sm" fw={600}>
        Requests by what A (down) and B (across) say of them
      </Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>
            <SideMark side="A" /> \ <SideMark side="B" />
          </Table.Th>
          {VERDICTS.map((verdict) => (
            <Table.Th key={verdict} ta="right">
              <VerdictText verdict={verdict} />
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {VERDICTS.map((a) => (
          <Table.Tr key={a}>
            <Table.Th scope="row">
              <VerdictText verdict={a} />
            </Table.Th>
            {VERDICTS.map((b) => (
              <Table.Td key={b} ta="right">
                {a === b || count(a, b) === 0 ? (
                  <Text component="span" size="sm" c="dimmed">
                    {formatCount(count(a, b))}
                  </Text>
                ) : (
                  <Anchor component={Link} href={href(a, b)} size="sm" fw={700} prefetch={false}>
                    {formatCount(count(a, b))}
                  </Anchor>
                )}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Figures before and after, and flips both ways by verdict; each cell leads to its requests. */
export function ComparisonFigures(props: {
  comparison: Comparison;
  href: (from: string, to: string) => string;
}) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <section className="scroll-region" tabIndex={0} aria-label="Figures of A and B">
        <Figures comparison={props.comparison} />
      </section>
      <section className="scroll-region" tabIndex={0} aria-label="Flips by verdict">
        <VerdictMatrix {...props} />
      </section>
    </SimpleGrid>
  );
}
