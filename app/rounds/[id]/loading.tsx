import { LoadingView } from "../../../components/shell/loading-view.tsx";

/** Within the round's frame, and below the layout: that answers 404 where there is no round, before anything is sent. */
export default function Loading() {
  return <LoadingView />;
}
