import type { ApiError } from "../../src/daemon/dashboard/api.ts";

/** Fails with a text for the person. */
export async function request(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Error("Hookwright does not answer. Is `hookwright dashboard` still running?");
  }
  if (response.ok) return response;
  throw new Error(await messageOf(response));
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await request(path, { signal: signal ?? null })).json() as Promise<T>;
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  return (await request(path, asJson(body))).json() as Promise<T>;
}

export function asJson(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return (JSON.parse(text) as ApiError).error;
  } catch {
    // A page of something else, such as a proxy: its text would say nothing about this request.
    return `The request failed with status ${response.status}.`;
  }
}
