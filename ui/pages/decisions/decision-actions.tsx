import { useState } from "preact/hooks";
import type { AllowOnce, DecisionDetail, ExplainAgain, MarkFalseAlarm } from "../../../src/daemon/dashboard/api.ts";
import { post } from "../../frame/server.ts";
import { clockTime } from "../../frame/wording.ts";
import { ConfigChangeDialog } from "../../parts/config-change.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Problem } from "../../parts/small.tsx";
import { PolicyTable } from "./policy-table.tsx";

interface Props {
  readonly decision: DecisionDetail;
  readonly onChanged: () => void;
}

/** What a person can do about a decision. */
export function DecisionActions({ decision, onChanged }: Props) {
  const [again, setAgain] = useState<ExplainAgain>();
  const [said, setSaid] = useState("");
  const [problem, setProblem] = useState("");
  const [isWritingRule, setWritingRule] = useState(false);
  const at = `/api/decisions/${decision.id}`;
  const isObjection = decision.ruling === "deny" || decision.ruling === "ask";

  const send = <T,>(path: string, then: (answer: T) => void, body = {}): void => {
    setProblem("");
    setSaid("");
    post<T>(path, body).then(then, (error: Error) => setProblem(error.message));
  };
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => send<ExplainAgain>(`${at}/explain`, setAgain)}>
          Explain again
        </button>
        {isObjection && decision.cannotAllow === "" && (
          <button
            type="button"
            onClick={() =>
              send<AllowOnce>(`${at}/allow`, ({ shown, until }) =>
                setSaid(`${shown} passes once, until ${clockTime(until)}. Ask the agent to try it again.`),
              )
            }
          >
            Allow once
          </button>
        )}
        {isObjection && (
          <button type="button" onClick={() => setWritingRule(true)}>
            Write a narrow rule…
          </button>
        )}
        {isObjection && (
          <button
            type="button"
            aria-pressed={decision.isFalseAlarm}
            onClick={() =>
              send<MarkFalseAlarm>(`${at}/false-alarm`, onChanged, { isFalseAlarm: !decision.isFalseAlarm })
            }
          >
            {decision.isFalseAlarm ? "Marked as a false alarm" : "False alarm"}
          </button>
        )}
      </div>
      {isObjection && decision.cannotAllow !== "" && <p class="muted">{decision.cannotAllow}</p>}
      {said !== "" && (
        <p class="said" role="status">
          {said}
        </p>
      )}
      {problem !== "" && <Problem text={problem} />}
      {again && <Again answer={again} before={decision} />}
      {isWritingRule && (
        <ConfigChangeDialog
          title="A rule for this call and nothing wider"
          path={`${at}/rule`}
          body={{}}
          onClose={(isWritten) => {
            setWritingRule(false);
            if (isWritten) setSaid("The rule is written and holds from the next call on.");
          }}
        />
      )}
    </>
  );
}

function Again({ answer, before }: { answer: ExplainAgain; before: DecisionDetail }) {
  const isSame = answer.ruling === before.ruling && answer.policy === before.policy;
  return (
    <section class="again" role="status">
      <h3>Decided again now, without a change to anything</h3>
      <p>
        <Mark word={answer.ruling} /> {answer.policy}{" "}
        <span class="muted">{isSame ? "as before" : `instead of ${before.ruling} ${before.policy}`}</span>
      </p>
      {answer.reason !== "" && <p>{answer.reason}</p>}
      <PolicyTable policies={answer.policies} showsSilent={false} />
    </section>
  );
}
