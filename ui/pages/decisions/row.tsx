import type { DecisionRow } from "../../../src/daemon/dashboard/api.ts";
import { hrefWith } from "../../frame/address.ts";
import { microseconds } from "../../frame/wording.ts";
import { Mark } from "../../parts/mark.tsx";
import { At, Project, shortSession } from "../../parts/small.tsx";

export function Row({ row, isSelected = false }: { row: DecisionRow; isSelected?: boolean }) {
  return (
    <a class="row" href={hrefWith({}, `/decisions/${row.id}`)} aria-current={isSelected}>
      <span class="row-time number muted">
        <At at={row.at} />
      </span>
      <span class="row-ruling">
        <Mark word={row.ruling} />
      </span>
      <span class="row-tool">{row.tool || row.event}</span>
      <code class="row-subject">{row.subject}</code>
      <span class="row-policy muted">{row.policy}</span>
      <span class="row-where muted">
        <Project path={row.project} /> <code>{shortSession(row.session)}</code>
      </span>
      <span class="row-cost number muted">{microseconds(row.microseconds)}</span>
    </a>
  );
}
