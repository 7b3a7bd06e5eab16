/** Small pieces that several pages show. */
import type { ComponentChildren } from "preact";
import type { Usage } from "../../src/daemon/dashboard/api.ts";
import { clock } from "../frame/clock.ts";
import type { Resource } from "../frame/resource.ts";
import { clockTime, compact, duration, lastPart } from "../frame/wording.ts";

/** What to do when there is nothing to see. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  );
}

/** For a machine on which no agent has reported anything. */
export function NothingYet() {
  return (
    <Empty title="No agent has reported anything yet.">
      Run <code>hookwright init</code>, then start your agent. If nothing appears, <code>hookwright doctor</code> says
      why.
    </Empty>
  );
}

export function Problem({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <span>{text}</span>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Counts up by itself. */
export function Since({ at }: { at: number }) {
  return (
    <time title={new Date(at).toLocaleString()}>
      {duration(Math.max(1, Math.floor((clock.value - at) / 1_000)) * 1_000)}
    </time>
  );
}

export function At({ at }: { at: number }) {
  return <time title={new Date(at).toLocaleString()}>{clockTime(at)}</time>;
}

export function Project({ path }: { path: string }) {
  return <span title={path}>{lastPart(path) || "no project"}</span>;
}

/** The beginning of a session's id, which the command line takes as well. */
export function shortSession(session: string): string {
  return session.slice(0, 8);
}

/** From `high` on it is shown as too much. */
export function Meter({ share, label = "", high = 1 }: { share: number; label?: string; high?: number }) {
  const percent = `${label} ${Math.round(share * 100)} %`;
  return (
    <span class="meter number">
      <meter value={share} high={high} aria-label={percent} /> {percent}
    </span>
  );
}

export function UsageText({ usage }: { usage: Usage | null }) {
  if (usage === null) return null;
  const tokens = usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const parts = [
    `input ${compact(usage.inputTokens)}`,
    `output ${compact(usage.outputTokens)}`,
    `read from the cache ${compact(usage.cacheReadTokens)}`,
    `written to the cache ${compact(usage.cacheWriteTokens)}`,
  ];
  return (
    <span class="number" title={parts.join(", ")}>
      {compact(tokens)} tokens{usage.dollars === null ? "" : ` · $${usage.dollars.toFixed(2)}`}
    </span>
  );
}

/** Until there is an answer, and where there is none. */
export function Pending({ of }: { of: Resource<unknown> }) {
  if (of.error !== "") return <Problem text={of.error} onRetry={of.reload} />;
  return of.data === undefined ? <p class="muted pad">Loading…</p> : null;
}
