import type { Json } from "../../../core/event.ts";
import type { SessionState } from "../state.ts";
import type { SessionRule } from "./rule.ts";

const FIELD = /\$([A-Za-z_]\w*)/g;

/** Replaces `$field` by the value in the state. Fields that are lists, objects or missing stay as written. */
export function resolveText(text: string, state: SessionState): string {
  return text.replace(FIELD, (whole, name: string) => {
    const value = own(state, name);
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : whole;
  });
}

/** Replaces `$field` in paths. A path that is only a field may become several. */
export function resolveFiles(files: SessionRule["payload"]["files"], state: SessionState): string[] {
  const list = files === undefined ? [] : typeof files === "string" ? [files] : files;
  return list.flatMap((file) => {
    const name = /^\$([A-Za-z_]\w*)$/.exec(file)?.[1];
    const value = name === undefined ? undefined : own(state, name);
    if (Array.isArray(value)) return value.filter((one): one is string => typeof one === "string");
    return [resolveText(file, state)];
  });
}

function own(state: SessionState, name: string): Json | undefined {
  return Object.hasOwn(state, name) ? state[name] : undefined;
}
