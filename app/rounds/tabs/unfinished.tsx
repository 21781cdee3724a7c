import type { ReactNode } from "react";
import { OldView } from "../../../components/round/old-view.tsx";
import { ProblemView } from "../../../components/round/problem-view.tsx";
import { ProgressView } from "../../../components/round/progress-view.tsx";
import { cancelRound } from "../actions.ts";
import type { RoundScope } from "../scope.ts";

/** What stands in a tab's place while the round has no rows, or none that this version reads. */
export function unfinished({ round, readOnly }: RoundScope): ReactNode {
  if (round.state === "waiting" || round.state === "running")
    return <ProgressView round={round} {...(readOnly ? {} : { cancel: cancelRound.bind(null, round.id) })} />;
  if (round.state === "done") return <OldView round={round} />;
  const again = round.audit === null ? "/rounds/new" : "/audit";
  return (
    <ProblemView
      round={round}
      {...(readOnly ? {} : { again })}
      {...(readOnly || round.audit !== null ? {} : { sameInputs: `/rounds/new?from=${round.id}` })}
    />
  );
}
