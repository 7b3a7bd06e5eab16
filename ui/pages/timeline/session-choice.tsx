import { fromQuery } from "../../frame/address.ts";
import { useResource } from "../../frame/resource.ts";
import { nowPage } from "../../frame/stream.ts";
import { lastPart } from "../../frame/wording.ts";
import { QueryChoice } from "../../parts/query-fields.tsx";
import { shortSession } from "../../parts/small.tsx";

export function SessionChoice() {
  const first = useResource<typeof nowPage.value>(nowPage.value === undefined ? "/api/now" : null);
  const sessions = (nowPage.value ?? first.data)?.sessions ?? [];
  const known = sessions.map(
    (card) => [card.session, `${lastPart(card.project)} ${shortSession(card.session)} ${card.state}`] as const,
  );
  return <QueryChoice name="session" options={[["", fromQuery("session") === "" ? "choose one" : "none"], ...known]} />;
}
