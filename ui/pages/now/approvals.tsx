import { useState } from "preact/hooks";
import type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest } from "../../../src/daemon/dashboard/api.ts";
import { hrefWith } from "../../frame/address.ts";
import { clock } from "../../frame/clock.ts";
import { post } from "../../frame/server.ts";
import { duration } from "../../frame/wording.ts";
import { Code } from "../../parts/code.tsx";
import { ConfigChangeDialog } from "../../parts/config-change.tsx";
import { Problem, Project, Since, shortSession } from "../../parts/small.tsx";

/** So many are shown at once; the others follow as these are answered. */
const MOST_SHOWN = 20;

export function Approvals({ requests }: { requests: readonly ApprovalRequest[] }) {
  const [notDone, setNotDone] = useState("");
  const [ruleFor, setRuleFor] = useState<string>();
  if (requests.length === 0 && notDone === "" && ruleFor === undefined) return null;
  return (
    <section class="approvals" aria-label="Requests that wait for you">
      {notDone !== "" && <Problem text={notDone} />}
      {requests.slice(0, MOST_SHOWN).map((request) => (
        <Request key={request.id} request={request} onNotDone={setNotDone} onRule={() => setRuleFor(request.id)} />
      ))}
      {requests.length > MOST_SHOWN && <p class="muted">{requests.length - MOST_SHOWN} more wait behind these.</p>}
      {ruleFor !== undefined && (
        <ConfigChangeDialog
          title="Yes, and a rule for this call and nothing wider"
          path={`/api/approvals/${ruleFor}/rule`}
          body={{}}
          onClose={() => setRuleFor(undefined)}
        />
      )}
    </section>
  );
}

interface Props {
  readonly request: ApprovalRequest;
  readonly onNotDone: (text: string) => void;
  readonly onRule: () => void;
}

function Request({ request, onNotDone, onRule }: Props) {
  const { id, tool, subject, agentId, asks } = request;
  const [step, setStep] = useState<"" | "refuse" | "sent">("");
  const answer = (body: ApprovalAnswer): void => {
    setStep("sent");
    onNotDone("");
    post<ApprovalOutcome>(`/api/approvals/${id}`, body).then(
      ({ notDone }) => onNotDone(notDone),
      (error: Error) => {
        setStep("");
        onNotDone(error.message);
      },
    );
  };
  const isSent = step === "sent";
  return (
    <article class="approval">
      <header>
        <b>{tool}</b>
        <strong>
          <Project path={request.project} />
        </strong>
        <a href={hrefWith({ session: request.session }, "/")}>
          <code>{shortSession(request.session)}</code>
        </a>
        {agentId !== "" && <span class="tag">subagent {agentId.slice(0, 10)}</span>}
        <span class="muted end number">
          asked <Since at={request.askedAt} /> ago, open for {duration(request.until - clock.value)}
        </span>
      </header>
      <Code text={subject} />
      {asks !== "" && <p>{asks}</p>}
      <details>
        <summary>The whole input</summary>
        <Code text={request.input} />
      </details>
      {step === "refuse" ? (
        <form
          class="actions"
          onSubmit={(event) => {
            event.preventDefault();
            answer({ answer: "no", reason: String(new FormData(event.currentTarget).get("reason")) });
          }}
        >
          <label class="field grow">
            <span>Why not? The agent reads this.</span>
            <input name="reason" autocomplete="off" ref={(field) => field?.focus()} />
          </label>
          <button type="submit" class="primary">
            Refuse
          </button>
          <button type="button" onClick={() => setStep("")}>
            Back
          </button>
        </form>
      ) : (
        <div class="actions">
          <button type="button" class="primary" disabled={isSent} onClick={() => answer({ answer: "yes" })}>
            Yes, this once
          </button>
          <button type="button" disabled={isSent} onClick={() => setStep("refuse")}>
            No…
          </button>
          {request.hasRule && (
            <button type="button" disabled={isSent} onClick={onRule}>
              Yes, and a rule…
            </button>
          )}
        </div>
      )}
    </article>
  );
}
