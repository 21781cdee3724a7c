import { LoadingView } from "../../../components/shell/loading-view.tsx";
import { Shell } from "../../../components/shell/shell.tsx";

export default function Loading() {
  return (
    <Shell>
      <LoadingView />
    </Shell>
  );
}
