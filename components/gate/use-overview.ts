import { useQuery } from "@tanstack/react-query";
import type { GateAnswer, GateOverview } from "../../contract/gate-console.ts";

const EVERY_MS = 2000;

async function ask(): Promise<GateAnswer<GateOverview>> {
  const response = await fetch("/api/gate");
  if (!response.ok) throw new Error(`the console answered ${response.status}`);
  return response.json();
}

/** The live gate and its versions, asked again every two seconds. */
export function useOverview(first: GateAnswer<GateOverview>) {
  return useQuery({ queryKey: ["gate"], queryFn: ask, initialData: first, refetchInterval: EVERY_MS });
}

/** The version that is live now, as far as the gate answers; null where nothing is known. */
export function useLiveVersion(): number | null {
  const { data } = useQuery({ queryKey: ["gate"], queryFn: ask, refetchInterval: EVERY_MS });
  return data?.kind === "answer" ? data.value.state.version : null;
}
