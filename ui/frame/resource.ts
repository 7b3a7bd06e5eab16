import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "./server.ts";
import { decisionsArrived } from "./stream.ts";

/** What is known of something on the server: the last answer stays while a newer one is fetched. */
export interface Resource<T> {
  readonly data: T | undefined;
  readonly error: string;
  readonly reload: () => void;
}

/** How long a page that follows the journal waits after a new entry, so that many entries are one request. */
const FOLLOW_MS = 2_000;

/** Fetches `path` again whenever it changes, and, with `follow`, after new decisions. Null: nothing to fetch. */
export function useResource<T>(path: string | null, { follow = false } = {}): Resource<T> {
  const [state, setState] = useState<{ path: string | null; data?: T; error: string }>({ path, error: "" });
  const [round, setRound] = useState(0);
  const isWaiting = useRef(false);

  // `round` fetches the same path again.
  useEffect(() => {
    if (path === null) return;
    const request = new AbortController();
    get<T>(path, request.signal).then(
      (data) => setState({ path, data, error: "" }),
      (error: Error) => {
        if (request.signal.aborted) return;
        setState((before) => ({ ...before, path, error: error.message }));
      },
    );
    return () => request.abort();
  }, [path, round]);

  useEffect(() => {
    if (!follow) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = decisionsArrived(() => {
      if (isWaiting.current) return;
      isWaiting.current = true;
      timer = setTimeout(() => {
        isWaiting.current = false;
        setRound((before) => before + 1);
      }, FOLLOW_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
      isWaiting.current = false;
    };
  }, [follow]);

  return {
    // An answer to the same question with other words stays until the new one is there.
    data: nameOf(state.path) === nameOf(path) ? state.data : undefined,
    error: state.error,
    reload: () => setRound((before) => before + 1),
  };
}

function nameOf(path: string | null): string | undefined {
  return path?.split("?")[0];
}
