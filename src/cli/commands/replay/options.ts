import fs from "node:fs";
import path from "node:path";
import { readFailed } from "../../../agents/settings-file.ts";
import { HookwrightError } from "../../../core/errors.ts";
import type { PolicyMode } from "../../../core/settings/config.ts";
import { nearestName } from "../../../core/text/nearest-name.ts";
import { registry } from "../../../policies/index.gen.ts";
import type { Trial } from "../../../replay/sources.ts";
import type { Summary } from "../../../replay/tally.ts";
import type { CommandContext } from "../../command.ts";
import { readProfiles } from "../../installation/setup-options.ts";
import { parseTime } from "../journal/time-format.ts";

const MODES: readonly PolicyMode[] = ["off", "observe", "enforce"];

/** What `--fail-on` names, and the count in the summary. */
const FAILURES = {
  "newly-denied": "newlyDenied",
  "newly-asked": "newlyAsked",
  "newly-allowed": "newlyAllowed",
  "newly-held": "newlyHeld",
  "changed-context": "changedContext",
  undecidable: "undecidable",
  "not-replayable": "notReplayable",
} as const satisfies Record<string, keyof Summary>;
export type Failure = keyof typeof FAILURES;

export interface ReplayRequest {
  readonly from: { readonly kind: "journal" } | { readonly kind: "transcripts" | "fixtures"; readonly folder: string };
  readonly trial: Trial;
  readonly since: number | undefined;
  readonly session: string | undefined;
  readonly saveTo: string | undefined;
  readonly failOn: readonly Failure[];
}

export function usageError(detail: string): HookwrightError {
  return new HookwrightError("HW_USAGE", { detail, command: "replay" });
}

export function readRequest({ options, cwd }: CommandContext, now: number): ReplayRequest {
  const text = (name: string): string | undefined => {
    const given = options[name];
    return typeof given === "string" ? given : undefined;
  };
  const inFolder = (name: string): string | undefined => {
    const given = text(name);
    return given === undefined ? undefined : path.resolve(cwd, given);
  };
  const [transcripts, fixtures, configFile] = ["transcripts", "fixtures", "config"].map(inFolder);
  if (transcripts !== undefined && fixtures !== undefined)
    throw usageError("Give --transcripts or --fixtures, not both.");
  for (const folder of [transcripts, fixtures]) if (folder !== undefined) mustBe("folder", folder);
  if (configFile !== undefined) mustBe("file", configFile);
  const since = text("since");
  const at = since === undefined ? undefined : parseTime(since, now);
  if (since !== undefined && at === undefined) {
    throw usageError(`--since takes a time such as 15m, 1h, 7d or 2026-01-02, not \`${since}\`.`);
  }
  return {
    from:
      transcripts !== undefined
        ? { kind: "transcripts", folder: transcripts }
        : fixtures !== undefined
          ? { kind: "fixtures", folder: fixtures }
          : { kind: "journal" },
    trial: { configFile, modes: readModes(options.policy), profiles: readProfiles("replay", text("profile")) },
    since: at,
    session: text("session"),
    saveTo: inFolder("save-fixtures"),
    failOn: readFailures(text("fail-on")),
  };
}

/** What of `--fail-on` has happened. */
export function failuresIn(summary: Summary, failOn: readonly Failure[]): Failure[] {
  return failOn.filter((name) => summary[FAILURES[name]] > 0);
}

function readModes(given: CommandContext["options"][string]): Record<string, PolicyMode> {
  const modes: Record<string, PolicyMode> = {};
  for (const one of [given ?? []].flat().map(String)) {
    const [id = "", mode = ""] = one.split("=");
    const known = MODES.find((name) => name === mode);
    if (known === undefined) throw usageError(`--policy takes ID=MODE with ${MODES.join(", ")}, not \`${one}\`.`);
    // Rules of the configuration and policies of a project have modes too, and are in no registry.
    const ids = registry.map((entry) => entry.id);
    if (!ids.includes(id) && !/^(?:rules|local)\//.test(id)) {
      throw new HookwrightError("HW_UNKNOWN_POLICY", { id, nearest: nearestName(id, ids) });
    }
    modes[id] = known;
  }
  return modes;
}

function readFailures(given: string | undefined): Failure[] {
  const names = Object.keys(FAILURES) as Failure[];
  return (given ?? "")
    .split(",")
    .filter((one) => one !== "")
    .map((one) => {
      const known = names.find((name) => name === one);
      if (known === undefined) throw usageError(`--fail-on does not know \`${one}\`.${nearestName(one, names)}`);
      return known;
    });
}

function mustBe(kind: "file" | "folder", place: string): void {
  try {
    const stat = fs.statSync(place);
    if (kind === "folder" ? !stat.isDirectory() : !stat.isFile()) throw usageError(`${place} is no ${kind}.`);
  } catch (error) {
    throw error instanceof HookwrightError ? error : readFailed(place, error);
  }
}
