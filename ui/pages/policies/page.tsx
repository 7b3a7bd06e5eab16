import { useMemo, useState } from "preact/hooks";
import type { PolicyRow } from "../../../src/daemon/dashboard/api.ts";
import { fromQuery, hrefTo } from "../../frame/address.ts";
import { useResource } from "../../frame/resource.ts";
import { useListKeys } from "../../frame/use-list-keys.ts";
import { counted } from "../../frame/wording.ts";
import { ConfigChangeDialog } from "../../parts/config-change.tsx";
import { QueryChoice, QueryField } from "../../parts/query-fields.tsx";
import { Empty, Pending } from "../../parts/small.tsx";
import { WindowedList } from "../../parts/windowed-list.tsx";
import { Header, Row } from "./row.tsx";
import { SORTS, sortedBy } from "./sorting.ts";

const DAYS = [
  ["", "7 days"],
  ["1", "1 day"],
  ["30", "30 days"],
] as const;
const SHOWN = [
  ["", "those that are on"],
  ["all", "all of them"],
] as const;

export function PoliciesPage() {
  const days = fromQuery("days") || "7";
  const search = fromQuery("search").toLowerCase();
  const sort = fromQuery("sort");
  const showsAll = fromQuery("show") === "all" || search !== "";
  const policies = useResource<readonly PolicyRow[]>(hrefTo("/api/policies", { days }), { follow: true });
  const { data, reload } = policies;
  const [change, setChange] = useState<{ id: string; mode: PolicyRow["mode"] }>();

  const shown = useMemo(() => {
    const found = (data ?? []).filter(
      (one) => (showsAll || one.isOn) && `${one.id} ${one.summary}`.toLowerCase().includes(search),
    );
    return sortedBy(found, sort);
  }, [data, showsAll, search, sort]);
  const selected = useListKeys(
    shown.length,
    (index) => shown[index] && hrefTo("/decisions", { policy: shown[index].id }),
  );

  return (
    <div class="page column">
      <div class="bar">
        <h1>Policies</h1>
        <QueryField name="search" placeholder="name or purpose" />
        <QueryChoice name="show" options={SHOWN} />
        <QueryChoice name="days" label="count" options={DAYS} />
        <QueryChoice name="sort" label="order" options={SORTS} />
      </div>
      <Pending of={policies} />
      {data !== undefined && <p class="tally muted">{counted(shown.length, "policy", "policies")}</p>}
      {data !== undefined && shown.length === 0 && (
        <Empty title="No policy matches.">
          <a href="/policies?show=all">Show all policies</a>, or turn on a pack with{" "}
          <code>hookwright init --profile safety</code>.
        </Empty>
      )}
      {shown.length > 0 && (
        <WindowedList
          label="Policies"
          count={shown.length}
          rows="of-policies"
          selected={selected}
          item={(index) => {
            const one = shown[index];
            return (
              one && (
                <Row policy={one} isSelected={index === selected} onMode={(mode) => setChange({ id: one.id, mode })} />
              )
            );
          }}
        >
          <Header />
        </WindowedList>
      )}
      {change !== undefined && (
        <ConfigChangeDialog
          title={`${change.id}: ${change.mode}`}
          path="/api/policies/mode"
          body={change}
          onClose={(isWritten) => {
            setChange(undefined);
            if (isWritten) reload();
          }}
        />
      )}
    </div>
  );
}
