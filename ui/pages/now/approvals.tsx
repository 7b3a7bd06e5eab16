import { useState } from "preact/hooks";
import type { ApprovalAnswer, ApprovalRequest } from "../../../src/daemon/dashboard/api.ts";
import { hrefWith } from "../../frame/address.ts";
import { clock } from "../../frame/clock.ts";
import { post } from "../../frame/server.ts";
import { duration } from "../../frame/wording.ts";
import { Code } from "../../parts/code.tsx";
import { Problem, Project, Since, shortSession } from "../../parts/small.tsx";

/** So many are shown at once; the others follow as these are answered. */
const MOST_SHOWN = 20;

export function Approvals({ requests }: { requests: readonly ApprovalRequest[] }) {
  if (requests.length === 0) return null;
  const oldestFirst = [...requests].sort((a, b) => a.askedAt - b.askedAt);
  return (
    <section class="approvals" aria-label="Requests that wait for you">
      {oldestFirst.slice(0, MOST_SHOWN).map((request) => (
        <Request key={request.id} request={request} />
      ))}
      {requests.length > MOST_SHOWN && <p class="muted">{requests.length - MOST_SHOWN} more wait behind these.</p>}
    </section>
  );
}

function Request({ request }: { request: ApprovalRequest }) {
  const [isRefusing, setRefusing] = useState(false);
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState("");
  const [isSent, setSent] = useState(false);
  const answer = (body: ApprovalAnswer): void => {
    setSent(true);
    setProblem("");
    post(`/api/approvals/${encodeURIComponent(request.id)}`, body).catch((error: Error) => {
      setSent(false);
      setProblem(error.message);
    });
  };
  return (
    <article class="approval">
      <header>
        <b>{request.tool}</b>
        <strong>
          <Project path={request.project} />
        </strong>
        <a href={hrefWith({ session: request.session }, "/")}>
          <code>{shortSession(request.session)}</code>
        </a>
        <span class="muted end number">
          asked <Since at={request.askedAt} /> ago, open for {duration(request.until - clock.value)}
        </span>
      </header>
      <Code text={request.subject} />
      <details>
        <summary>The whole input</summary>
        <Code text={request.input} />
      </details>
      {isRefusing ? (
        <form
          class="actions"
          onSubmit={(event) => {
            event.preventDefault();
            answer({ answer: "no", reason });
          }}
        >
          <label class="field grow">
            <span>Why not? The agent reads this.</span>
            <input
              value={reason}
              autocomplete="off"
              ref={(field) => field?.focus()}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="primary" disabled={isSent}>
            Refuse
          </button>
          <button type="button" onClick={() => setRefusing(false)}>
            Back
          </button>
        </form>
      ) : (
        <div class="actions">
          <button type="button" class="primary" disabled={isSent} onClick={() => answer({ answer: "yes" })}>
            Yes, this once
          </button>
          <button type="button" disabled={isSent} onClick={() => setRefusing(true)}>
            No…
          </button>
          {request.rule !== null && (
            <button
              type="button"
              class="wraps"
              disabled={isSent}
              onClick={() => answer({ answer: "rule", rule: request.rule ?? "" })}
            >
              Yes, and always: <code>{request.rule}</code>
            </button>
          )}
        </div>
      )}
      {problem !== "" && <Problem text={problem} />}
    </article>
  );
}
