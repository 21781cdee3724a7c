import type { Metadata } from "next";
import type { ReactNode } from "react";
import { visibleName } from "../../../components/name/visible-name.ts";
import { RoundFrame } from "../../../components/round/round-frame.tsx";
import { Shell } from "../../../components/shell/shell.tsx";
import { shareScope } from "../../rounds/scope.ts";

interface Props {
  params: Promise<{ token: string }>;
  children: ReactNode;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { round } = await shareScope(params);
  return { title: visibleName(round.name), robots: { index: false, follow: false } };
}

export default async function ShareLayout({ params, children }: Props) {
  const { round, basePath, apiPath, access } = await shareScope(params);
  return (
    <Shell nav={false}>
      <RoundFrame
        round={round}
        basePath={basePath}
        apiPath={apiPath}
        withholds={access.mask_key === null ? (access.raw ? null : "stream") : "names"}
        note="Shared by link, read-only"
      >
        {children}
      </RoundFrame>
    </Shell>
  );
}
