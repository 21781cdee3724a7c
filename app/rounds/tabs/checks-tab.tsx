import type { ReactNode } from "react";
import { ChecksView } from "../../../components/round/checks-view.tsx";
import type { RoundScope } from "../scope.ts";
import { unfinished } from "./unfinished.tsx";

/** The check table and the acceptance criteria. */
export async function checksTab(scope: RoundScope): Promise<ReactNode> {
  const { summary } = scope.round;
  return summary === null ? unfinished(scope) : <ChecksView summary={summary} apiPath={scope.apiPath} />;
}
