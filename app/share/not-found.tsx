import { NotFoundView } from "../../components/shell/not-found-view.tsx";
import { Shell } from "../../components/shell/shell.tsx";

export default function ShareNotFound() {
  return (
    <Shell nav={false}>
      <NotFoundView
        title="This link leads nowhere"
        text="It is unknown, was revoked, or has expired. Ask whoever shared the round for a new one."
      />
    </Shell>
  );
}
