import { isMap, LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import { type Config, DEFAULT_CONFIG, type PolicyMode } from "../core/config.ts";
import { errorEntry, fill } from "../core/errors.ts";
import { nearestName } from "../core/nearest-name.ts";
import type { Policy } from "../core/policy.ts";
import { PROFILES, type ProfileName } from "../core/profiles.ts";
import { registry } from "../policies/index.gen.ts";
import { strictestMode, tighten } from "./tighten.ts";

export interface ConfigSource {
  readonly file: string;
  /** A person's file may say anything; a project's file may only make things stricter. */
  readonly owner: "person" | "project";
  readonly text: string;
}

const MODES = ["off", "observe", "enforce"] as const satisfies readonly PolicyMode[];

/** All files, weakest first, into one configuration. Never throws for what stands in a file. */
export async function compileConfig(sources: readonly ConfigSource[]): Promise<Config> {
  const policies = new Map<string, Policy>();
  for (const entry of registry) policies.set(entry.id, (await entry.load()).default);
  let config = DEFAULT_CONFIG;
  const problems: string[] = [];
  for (const source of sources) config = apply(config, source, policies, problems);
  return { ...config, problems };
}

function apply(base: Config, source: ConfigSource, policies: ReadonlyMap<string, Policy>, problems: string[]): Config {
  const lines = new LineCounter();
  const document = parseDocument(source.text, { lineCounter: lines, uniqueKeys: true });
  const report = (offset: number, detail: string): void => {
    const { line, col } = lines.linePos(offset);
    problems.push(fill(errorEntry("HW_CONFIG_INVALID").text, { file: source.file, line, column: col, detail }));
  };
  const [syntax] = document.errors;
  if (syntax) {
    report(syntax.pos[0], syntax.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? syntax.code);
    return base;
  }
  if (document.contents === null) return base;
  const offsetOf = (...path: (string | number)[]): number => {
    const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
    return node?.range?.[0] ?? 0;
  };
  const root: unknown = document.toJS({ maxAliasCount: 50 });
  if (!isMap(document.contents) || typeof root !== "object" || root === null) {
    report(0, "the file should hold keys and values, such as `profiles: [safety]`");
    return base;
  }
  let { profiles } = base;
  const merged = { ...base.policies };
  for (const [key, value] of Object.entries(root)) {
    if (key === "profiles")
      profiles = readProfiles(value, source.owner, profiles, (at, text) => report(offsetOf(key, ...at), text));
    else if (key === "policies")
      readPolicies(value, source.owner, policies, merged, (at, text) => report(offsetOf(key, ...at), text));
    else report(offsetOf(key), `\`${key}\` is not a key here.${nearestName(key, ["profiles", "policies"])}`);
  }
  return { profiles, policies: merged, problems: [] };
}

type Report = (at: readonly (string | number)[], detail: string) => void;

function readProfiles(
  value: unknown,
  owner: ConfigSource["owner"],
  base: readonly ProfileName[],
  report: Report,
): readonly ProfileName[] {
  if (!Array.isArray(value)) {
    report([], "`profiles` should be a list, such as `[safety, ntm]`");
    return base;
  }
  const names: ProfileName[] = [];
  value.forEach((name: unknown, index) => {
    const known = PROFILES.find((profile) => profile === name);
    if (known) names.push(known);
    else report([index], `the profile \`${String(name)}\` is not known.${nearestName(String(name), PROFILES)}`);
  });
  return owner === "person" ? names : [...new Set([...base, ...names])];
}

function readPolicies(
  value: unknown,
  owner: ConfigSource["owner"],
  policies: ReadonlyMap<string, Policy>,
  merged: Record<string, { mode?: PolicyMode; options?: Record<string, unknown> }>,
  report: Report,
): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    report([], "`policies` should hold policy names, each with its settings");
    return;
  }
  for (const [id, setting] of Object.entries(value as Record<string, unknown>)) {
    const policy = policies.get(id);
    if (!policy) {
      report([id], `the policy \`${id}\` is not known.${nearestName(id, [...policies.keys()])}`);
      continue;
    }
    const given = typeof setting === "string" ? { mode: setting } : setting;
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      report([id], "a policy takes `off`, `observe`, `enforce`, or its options");
      continue;
    }
    const { mode, ...options } = given as Record<string, unknown>;
    const before = merged[id] ?? {};
    const entry = { ...before };
    const knownMode = MODES.find((name) => name === mode);
    if (mode !== undefined && !knownMode) {
      report([id, "mode"], `the mode \`${String(mode)}\` is not known.${nearestName(String(mode), MODES)}`);
    } else if (knownMode) {
      entry.mode = owner === "person" ? knownMode : strictestMode(before.mode ?? "enforce", knownMode);
    }
    const schema = (policy.options?.(z) ?? z.object({})).strict();
    const parsed = schema.partial().safeParse(options);
    for (const issue of parsed.error?.issues ?? []) {
      const at = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
      const hint = at === undefined ? "" : nearestName(at, Object.keys(schema.shape));
      report(
        [id, ...(at === undefined ? issue.path.filter((part) => typeof part !== "symbol") : [at])],
        issue.message + hint,
      );
    }
    if (parsed.success) {
      const set = Object.fromEntries(Object.entries(parsed.data).filter(([key]) => key in options));
      entry.options =
        owner === "person"
          ? { ...before.options, ...set }
          : tighten(schema, before.options ?? {}, set, (key) =>
              report([id, key], `a project may not set \`${key}\`: it would loosen what the person chose`),
            );
    }
    merged[id] = entry;
  }
}
