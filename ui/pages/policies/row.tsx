import type { PolicyRow } from "../../../src/daemon/dashboard/api.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import { hrefTo } from "../../frame/address.ts";
import { microseconds, whole } from "../../frame/wording.ts";

const MODES: readonly PolicyRow["mode"][] = ["off", "observe", "enforce"];

interface Props {
  readonly policy: PolicyRow;
  readonly isSelected: boolean;
  readonly onMode: (mode: PolicyRow["mode"]) => void;
}

export function Header() {
  return (
    <div class="policy-row head muted" aria-hidden="true">
      <span>policy</span>
      <span>mode</span>
      <span class="count">hits</span>
      <span class="count">denied</span>
      <span class="count">would have</span>
      <span class="count">false alarms</span>
      <span class="count">p50</span>
      <span class="count">p99</span>
      <span>per day</span>
    </div>
  );
}

export function Row({ policy, isSelected, onMode }: Props) {
  const { id } = policy;
  return (
    <div class={`policy-row${policy.isOn ? "" : " is-off"}`} aria-current={isSelected}>
      <span class="policy-name">
        <a href={hrefTo("/decisions", { policy: id })}>{id}</a>
        <span class="muted">{policy.summary}</span>
      </span>
      <fieldset class="segments" aria-label={`Mode of ${id}`}>
        {MODES.map((mode) => {
          const isNow = (policy.isOn ? policy.mode : "off") === mode;
          return (
            <button key={mode} type="button" aria-pressed={isNow} onClick={() => !isNow && onMode(mode)}>
              {mode}
            </button>
          );
        })}
      </fieldset>
      <Count name="hits" value={policy.hits} />
      <Count name="denied" value={policy.denials} tone="bad" />
      <Count name="would have" value={policy.wouldHaveDenied} tone="warn" />
      <Count name="false alarms" value={policy.falseAlarms} />
      <span class="count muted" data-name="p50">
        {microseconds(policy.p50)}
      </span>
      <span class="count muted" data-name="p99">
        {microseconds(policy.p99)}
      </span>
      <Sparkline values={policy.days} label="Hits per day" />
    </div>
  );
}

function Count({ name, value, tone }: { name: string; value: number; tone?: "bad" | "warn" }) {
  const look = value === 0 ? "muted" : tone === undefined ? "" : `tone-${tone}`;
  return (
    <span class={`count ${look}`} data-name={name}>
      {whole(value)}
    </span>
  );
}
