import type { Span } from "../../../src/daemon/dashboard/api.ts";
import { hrefTo } from "../../frame/address.ts";
import { duration } from "../../frame/wording.ts";
import { Mark } from "../../parts/mark.tsx";
import { At } from "../../parts/small.tsx";
import { Swatch } from "./swatch.tsx";

interface Props {
  readonly span: Span;
  readonly session: string;
  readonly isSelected: boolean;
}

export function SpanRow({ span, session, isSelected }: Props) {
  const cells = (
    <>
      <span class="row-time number muted">
        <At at={span.from} />
      </span>
      <span class="row-cost number">{duration(span.to - span.from)}</span>
      <span class="row-kind">
        <Swatch kind={span.kind} /> {span.kind}
      </span>
      <code class="row-subject">{span.label}</code>
      <span class="row-ruling">{span.kind === "hook" && <Mark word={span.ruling} />}</span>
      <span class="row-where muted">{span.agentId === "" ? "" : span.agentId.slice(0, 12)}</span>
    </>
  );
  const look = { class: "row of-span", "aria-current": isSelected };
  if (span.decision === null) return <span {...look}>{cells}</span>;
  return (
    <a {...look} href={hrefTo(`/decisions/${span.decision}`, { session })}>
      {cells}
    </a>
  );
}
