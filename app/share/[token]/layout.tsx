import type { Metadata } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { visibleName } from "../../../components/name/visible-name.ts";
import { RoundFrame } from "../../../components/round/round-frame.tsx";
import { verdictOf } from "../../../components/share/preview-picture.tsx";
import { Shell } from "../../../components/shell/shell.tsx";
import { falseGreenSentence } from "../../../components/signals/false-green-sentence.ts";
import type { RoundListItem } from "../../../contract/round-view.ts";
import { sealSentence } from "../../../contract/seal.ts";
import { OPENS } from "../../../lib/rounds/sharing/share-visit.ts";
import { alikeNames, findShared, shareScope } from "../../rounds/scope.ts";

interface Props {
  params: Promise<{ token: string }>;
  children: ReactNode;
}

/** Where this server is reached, as the visitor asked for it: addresses in a preview must be whole. */
async function origin(): Promise<URL> {
  const asked = await headers();
  const host = asked.get("host") ?? "localhost";
  return new URL(`${asked.get("x-forwarded-proto")?.split(",")[0] ?? "http"}://${host}`);
}

/** The round in one line for a link's preview. */
function description({ summary, state, seal }: RoundListItem): string {
  const [finding] = seal.findings;
  if (finding !== undefined) return `Nothing is known to be right: ${sealSentence(finding)}.`;
  if (summary === null) return `A round that is ${state}.`;
  const { accepted, queued, rejected } = summary.counts;
  const figures = `${summary.requests} requests: ${accepted} accepted, ${queued} queued, ${rejected} rejected.`;
  return summary.board.false_green
    ? `${falseGreenSentence(summary.board, summary.truth)} ${figures}`
    : figures;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const scope = await findShared(params);
  const always = { metadataBase: await origin(), robots: { index: false, follow: false } };
  // A head that is not found would leave the page without a title.
  if (scope === null) return { ...always, title: "This link leads nowhere" };
  const { round } = scope;
  const title = visibleName(round.name);
  const told = { title: `${verdictOf(round).text} · ${title}`, description: description(round) };
  return {
    ...always,
    title,
    openGraph: { type: "website", siteName: "tenantthrottle", ...told },
    twitter: { card: "summary_large_image", ...told },
  };
}

export default async function ShareLayout({ params, children }: Props) {
  // Whichever page is opened first: the frame is around all of them.
  const isOpening = (await headers()).has(OPENS);
  const scope = await shareScope(params, isOpening);
  const { service, round, basePath, apiPath, access } = scope;
  const withheld = access.mask_key === null ? (access.raw ? null : "stream") : "names";
  return (
    <Shell nav={false}>
      <RoundFrame
        round={round}
        basePath={basePath}
        apiPath={apiPath}
        withholds={withheld ?? ((await service.isBundleTooLarge(round.id)) ? "size" : null)}
        alike={await alikeNames(scope)}
        isShared
      >
        {children}
      </RoundFrame>
    </Shell>
  );
}
