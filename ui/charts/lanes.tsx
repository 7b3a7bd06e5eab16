import { useMemo, useRef } from "preact/hooks";
import type { Span } from "../../src/daemon/dashboard/api.ts";
import { go, hrefTo } from "../frame/address.ts";
import { useWidth } from "../frame/use-width.ts";
import { clockTime, duration } from "../frame/wording.ts";
import { pixel } from "./scale.ts";

interface Props {
  readonly spans: readonly Span[];
  readonly from: number;
  readonly to: number;
}

const LANE = 34;
const TOP = 20;
const LABELS = 100;
const LABEL_WIDTH = 110;
/** Kinds differ in height and place as well as in colour; hooks are short, so they stand in front. */
const SHAPES: Readonly<Record<Span["kind"], { readonly top: number; readonly height: number }>> = {
  model: { top: 14, height: 4 },
  waiting: { top: 5, height: 22 },
  tool: { top: 9, height: 14 },
  hook: { top: 3, height: 26 },
};
const ORDER: readonly Span["kind"][] = ["model", "waiting", "tool", "hook"];

/** One lane for the main conversation and for each subagent; time runs to the right. */
export function Lanes({ spans, from, to }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const lanes = useMemo(() => [...new Set(["", ...spans.map(({ agentId }) => agentId)])], [spans]);
  const left = width < 600 ? 0 : LABELS;
  const scale = (at: number): number => left + ((at - from) / Math.max(1, to - from)) * (width - left);
  const marks = useMemo(() => drawn(spans, lanes, scale, width), [spans, lanes, from, to, width]);
  const labels = Math.max(1, Math.floor((width - left) / LABEL_WIDTH));
  return (
    <div class="lanes" ref={box}>
      {width > 0 && (
        <svg
          width={width}
          height={TOP + lanes.length * LANE}
          role="img"
          aria-label={`${spans.length} spans from ${clockTime(from)} to ${clockTime(to)}; the list below has them all`}
        >
          {Array.from({ length: labels }, (_, index) => from + ((to - from) * index) / labels).map((at) => (
            <g key={at}>
              <path class="grid" d={`M${pixel(scale(at))} 14V${TOP + lanes.length * LANE}`} />
              <text x={pixel(scale(at)) + 3} y={11}>
                {clockTime(at)}
              </text>
            </g>
          ))}
          {lanes.map((lane, index) => (
            <g key={lane}>
              <path class="grid" d={`M0 ${TOP + (index + 1) * LANE}H${width}`} />
              {left > 0 && (
                <text class="lane-name" x={0} y={TOP + index * LANE + 21}>
                  {lane === "" ? "main" : lane.slice(0, 12)}
                </text>
              )}
            </g>
          ))}
          {marks}
        </svg>
      )}
    </div>
  );
}

/** Spans that would lie in the same pixel of a lane are one, so a long session does not make a large document. */
function drawn(spans: readonly Span[], lanes: readonly string[], scale: (at: number) => number, width: number) {
  const ends = new Map<string, number>();
  const sorted = [...spans].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || a.from - b.from);
  return sorted.flatMap((span, index) => {
    const x = pixel(scale(span.from));
    const end = Math.max(x + 2, pixel(scale(span.to)));
    const kind = span.kind === "hook" && span.ruling === "deny" ? "deny" : span.kind;
    const place = `${span.agentId} ${kind}`;
    if (end < 0 || x > width || end <= (ends.get(place) ?? -1)) return [];
    ends.set(place, end);
    const { top, height } = SHAPES[span.kind];
    const y = TOP + lanes.indexOf(span.agentId) * LANE + top;
    const { decision } = span;
    return [
      // biome-ignore lint/a11y/noStaticElementInteractions: the list below the picture does the same with links
      <rect
        key={index}
        class={`span kind-${kind}${decision === null ? "" : " leads"}`}
        x={x}
        y={y}
        width={end - x}
        height={height}
        onClick={decision === null ? undefined : () => go(hrefTo(`/decisions/${decision}`))}
      >
        <title>{`${span.kind} ${duration(span.to - span.from)}: ${span.label}`}</title>
      </rect>,
    ];
  });
}
