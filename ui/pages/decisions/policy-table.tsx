import type { PolicyVerdict } from "../../../src/daemon/dashboard/api.ts";
import { hrefTo } from "../../frame/address.ts";
import { microseconds } from "../../frame/wording.ts";
import { Mark } from "../../parts/mark.tsx";
import { Table } from "../../parts/table.tsx";

interface Props {
  readonly policies: readonly PolicyVerdict[];
  readonly showsSilent: boolean;
}

/** In the order in which they were asked. */
export function PolicyTable({ policies, showsSilent }: Props) {
  const shown = policies.filter(({ verdicts, error }) => showsSilent || verdicts.length > 0 || error !== "");
  if (shown.length === 0) return <p class="muted">All {policies.length} that were asked were silent.</p>;
  return (
    <Table
      class="policy-table"
      columns={["policy", "said", "fate", ">time"]}
      rows={shown.map((one) => [
        <>
          <a href={hrefTo("/policies", { search: one.policy })}>{one.policy}</a>
          <p class="muted">
            {one.stage} {one.mode === "observe" && <span class="tag">observe</span>}
          </p>
        </>,
        <>
          {one.verdicts.map((verdict) => (
            <p>
              <Mark word={verdict.kind} /> {verdict.text}
            </p>
          ))}
          {one.error !== "" && (
            <p>
              <Mark word="failed" /> {one.error}
            </p>
          )}
        </>,
        one.fate,
        microseconds(one.microseconds),
      ])}
    />
  );
}
