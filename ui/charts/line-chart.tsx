import { useRef, useState } from "preact/hooks";
import { useWidth } from "../frame/use-width.ts";
import { clockTime } from "../frame/wording.ts";
import { pixel, ticks } from "./scale.ts";

interface Line {
  readonly name: string;
  readonly values: readonly number[];
}

interface Props {
  readonly title: string;
  readonly times: readonly number[];
  /** At most three; they differ in dash pattern as well as in colour. */
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  readonly isBars?: boolean;
}

const HEIGHT = 150;
const LEFT = 58;
const BOTTOM = 20;
const TOP = 8;
/** The width of a label of the time axis with some air. */
const LABEL = 90;

export function LineChart({ title, times, lines, format, isBars = false }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [near, setNear] = useState<number>();
  const all = lines.flatMap((line) => line.values);
  const steps = ticks(Math.max(0, ...all));
  const most = steps.at(-1) ?? 1;
  const first = times[0] ?? 0;
  const span = Math.max(1, (times.at(-1) ?? 1) - first);
  const right = Math.max(LEFT + 1, width - 8);
  const barWidth = Math.max(1, (right - LEFT) / Math.max(1, times.length) - 1);
  const x = (at: number): number => pixel(LEFT + ((at - first) / span) * (right - LEFT - (isBars ? barWidth : 0)));
  const y = (value: number): number => pixel(TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM));
  const labels = Math.max(1, Math.floor((right - LEFT) / LABEL));

  const summary = lines.map(({ name, values }) => `${name} up to ${format(Math.max(0, ...values))}`);
  const follow = (event: PointerEvent): void => {
    const share = (event.offsetX - LEFT) / (right - LEFT);
    setNear(Math.max(0, Math.min(times.length - 1, Math.round(share * times.length - 0.5))));
  };
  return (
    <figure class="chart" ref={box}>
      <figcaption>
        <b>{title}</b>
        {lines.map((line, index) => (
          <span key={line.name} class={`key line-${index}`}>
            {!isBars && (
              <svg width="22" height="6" aria-hidden="true">
                <path d="M0 3H22" />
              </svg>
            )}{" "}
            {line.name}
            {near !== undefined && <b class="number"> {format(line.values[near] ?? 0)}</b>}
          </span>
        ))}
        {near !== undefined && <span class="muted number end">{clockTime(times[near] ?? 0)}</span>}
      </figcaption>
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={`${title}: ${summary.join(", ")}`}
          onPointerMove={follow}
          onPointerLeave={() => setNear(undefined)}
        >
          {steps.map((step) => (
            <g key={step}>
              <path class="grid" d={`M${LEFT} ${y(step)}H${right}`} />
              <text x={LEFT - 6} y={y(step) + 4} text-anchor="end">
                {format(step)}
              </text>
            </g>
          ))}
          {Array.from({ length: labels }, (_, index) => first + (span * index) / labels).map((at) => (
            <text key={at} x={x(at)} y={HEIGHT - 4}>
              {clockTime(at).slice(0, -3)}
            </text>
          ))}
          {near !== undefined && !isBars && (
            <path class="near" d={`M${x(times[near] ?? 0)} ${TOP}V${HEIGHT - BOTTOM}`} />
          )}
          {isBars
            ? times.map((at, index) => {
                const value = lines[0]?.values[index] ?? 0;
                const top = y(value);
                return (
                  <rect
                    key={at}
                    class={`bar-of${index === near ? " is-near" : ""}`}
                    x={x(at)}
                    y={top}
                    width={barWidth}
                    height={Math.max(0, HEIGHT - BOTTOM - top)}
                  />
                );
              })
            : lines.map((line, index) => (
                <path key={line.name} class={`line line-${index}`} d={pathOf(line.values, times, x, y)} />
              ))}
        </svg>
      )}
    </figure>
  );
}

function pathOf(
  values: readonly number[],
  times: readonly number[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  // An interval without events has no value, so the line has a gap there; a single point is a dot.
  return values
    .map((value, index) => {
      const point = `${x(times[index] ?? 0)} ${y(value)}`;
      if (value === 0) return "";
      return (values[index - 1] ?? 0) === 0 ? `M${point}L${point}` : `L${point}`;
    })
    .join("");
}
