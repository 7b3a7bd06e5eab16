import { useEffect, useRef, useState } from "preact/hooks";
import type { ReplayProgress } from "../../../src/daemon/dashboard/api.ts";
import { fromQuery } from "../../frame/address.ts";
import { asJson, request } from "../../frame/server.ts";
import { whole } from "../../frame/wording.ts";
import { QueryChoice, QueryField } from "../../parts/query-fields.tsx";
import { Empty, Problem } from "../../parts/small.tsx";
import { readProgress } from "./read-progress.ts";
import { Result } from "./result.tsx";

const SINCE = [
  ["", "7 days"],
  ["1d", "1 day"],
  ["30d", "30 days"],
] as const;

type Done = Extract<ReplayProgress, { kind: "done" }>;

/** What is to be replayed stands in the address, so that the same question can be asked again. */
export function ReplayPage() {
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const [result, setResult] = useState<Done>();
  const [problem, setProblem] = useState("");
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const take = (line: ReplayProgress): void => {
    if (line.kind === "progress") setProgress(line);
    else if (line.kind === "done") setResult(line);
    else setProblem(line.error);
  };
  const start = async (): Promise<void> => {
    running.current = new AbortController();
    const { signal } = running.current;
    setProblem("");
    setResult(undefined);
    setProgress({ done: 0, all: 0 });
    try {
      await readProgress(await request("/api/replay", { ...asJson(asked()), signal }), take);
    } catch (error) {
      if (!signal.aborted) setProblem((error as Error).message);
    }
    setProgress(undefined);
  };
  return (
    <div class="page scrolls">
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <h1>Replay</h1>
        <QueryChoice name="since" label="last" options={SINCE} />
        <QueryField name="policy" placeholder="safety/undo=enforce" />
        <QueryField name="profile" label="profiles" placeholder="safety,plan" />
        <QueryField name="config" label="configuration" placeholder="path of a file" />
        {progress === undefined ? (
          <button type="submit" class="primary">
            Replay
          </button>
        ) : (
          <button type="button" onClick={() => running.current?.abort()}>
            Stop
          </button>
        )}
      </form>
      {problem !== "" && <Problem text={problem} />}
      {progress !== undefined && (
        <div class="progress" role="status">
          <progress value={progress.done} max={Math.max(1, progress.all)} aria-label="Replayed events" />
          <span class="number">
            {whole(progress.done)} of {whole(progress.all)}
          </span>
        </div>
      )}
      {result !== undefined && <Result result={result} />}
      {result === undefined && progress === undefined && problem === "" && (
        <Empty title="What would another configuration have said?">
          Name a policy with its mode, profiles or a configuration file, and the recorded events are decided again with
          it. Nothing runs and nothing is changed.
        </Empty>
      )}
    </div>
  );
}

function asked(): Readonly<Record<string, string>> {
  const values: Record<string, string> = { since: fromQuery("since") || "7d" };
  for (const name of ["policy", "profile", "config"]) {
    if (fromQuery(name) !== "") values[name] = fromQuery(name);
  }
  return values;
}
