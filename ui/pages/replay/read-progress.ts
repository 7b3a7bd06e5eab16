import type { ReplayProgress } from "../../../src/daemon/dashboard/api.ts";

/** The lines of an answer as they come; each is one JSON object. */
export async function readProgress(response: Response, onLine: (line: ReplayProgress) => void): Promise<void> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") onLine(JSON.parse(line) as ReplayProgress);
  }
  if (rest.trim() !== "") onLine(JSON.parse(rest) as ReplayProgress);
}
