import { NotFoundView } from "../components/shell/not-found-view.tsx";
import { Shell } from "../components/shell/shell.tsx";

export default function NotFound() {
  return (
    <Shell>
      <NotFoundView title="Nothing here" text="There is no such page, or the round was removed." />
    </Shell>
  );
}
