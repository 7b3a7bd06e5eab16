import { useEffect, useState } from "preact/hooks";
import type { ConfigChange } from "../../src/daemon/dashboard/api.ts";
import { post } from "../frame/server.ts";
import { Dialog } from "./dialog.tsx";
import { Diff } from "./diff.tsx";
import { SummaryNumbers } from "./numbers.tsx";
import { Problem } from "./small.tsx";

interface Props {
  readonly title: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly onClose: (isWritten: boolean) => void;
}

/** Shows a change of the configuration and writes it only when the person says so. */
export function ConfigChangeDialog({ title, path, body, onClose }: Props) {
  const [preview, setPreview] = useState<ConfigChange>();
  const [problem, setProblem] = useState("");
  const [isWriting, setWriting] = useState(false);
  const fail = (error: Error): void => {
    setWriting(false);
    setProblem(error.message);
  };
  // The dialog is opened for one change. The diff comes at once; deciding the last days again may take a while.
  useEffect(() => {
    const ask = (isReplayed: boolean): Promise<void> =>
      post<ConfigChange>(path, { ...body, isPreview: true, isReplayed }).then(setPreview);
    ask(false)
      .then(() => ask(true))
      .catch(fail);
  }, []);
  const write = (): void => {
    setWriting(true);
    post<ConfigChange>(path, { ...body, isPreview: false }).then(() => onClose(true), fail);
  };
  return (
    <Dialog title={title} onClose={() => onClose(false)}>
      {problem !== "" && <Problem text={problem} />}
      {preview === undefined && problem === "" && <p class="muted">Loading…</p>}
      {preview !== undefined && (
        <>
          <p class="muted">
            In <code>{preview.file}</code>
          </p>
          <Diff text={preview.diff} />
          <h3>What it would have changed in the last 7 days</h3>
          {preview.wouldHave === null ? (
            problem === "" && <p class="muted">Deciding them again…</p>
          ) : (
            <SummaryNumbers summary={preview.wouldHave} />
          )}
          <div class="actions">
            <button type="button" class="primary" disabled={isWriting} onClick={write}>
              Write this change
            </button>
            <button type="button" onClick={() => onClose(false)}>
              Leave it as it is
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
