import type { Metadata } from "next";
import type { ReactNode } from "react";
import { visibleName } from "../../../components/name/visible-name.ts";
import { RoundFrame } from "../../../components/round/round-frame.tsx";
import { ShareDialog } from "../../../components/share/share-dialog.tsx";
import { Shell } from "../../../components/shell/shell.tsx";
import { listShares, revokeShare, shareRound } from "../actions.ts";
import { alikeNames, findRound, roundScope } from "../scope.ts";

interface Props {
  params: Promise<{ id: string }>;
  children: ReactNode;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  // A head that is not found would leave the page without a title.
  const scope = await findRound(params);
  return { title: scope === null ? "Nothing here" : visibleName(scope.round.name) };
}

export default async function RoundLayout({ params, children }: Props) {
  const scope = await roundScope(params);
  const { service, round, basePath, apiPath } = scope;
  const share = round.state === "done" && (
    <ShareDialog
      create={shareRound.bind(null, round.id)}
      list={listShares.bind(null, round.id)}
      revoke={revokeShare}
    />
  );
  return (
    <Shell>
      <RoundFrame
        round={round}
        basePath={basePath}
        apiPath={apiPath}
        withholds={(await service.isBundleTooLarge(round.id)) ? "size" : null}
        alike={await alikeNames(scope)}
        actions={share}
      >
        {children}
      </RoundFrame>
    </Shell>
  );
}
