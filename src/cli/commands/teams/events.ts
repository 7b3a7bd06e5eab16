import fs from "node:fs";
import { HookwrightError } from "../../../core/errors.ts";
import type { CommandContext } from "../../command.ts";
import { table } from "../../terminal/style.ts";
import { openTeamAccess } from "./team-access.ts";

const DEFAULT_LINES = 20;
const OLD_FILES = [".3", ".2", ".1", ""];

interface Line {
  readonly type?: unknown;
  readonly agent?: unknown;
  readonly team?: unknown;
  readonly session_id?: unknown;
  readonly received_at?: unknown;
  readonly source?: unknown;
  readonly processed?: unknown;
  readonly reason?: unknown;
}

/** Prints the audit trail, newest last. */
export function showEvents(context: CommandContext, team: string | undefined): number {
  const { options, out, err } = context;
  const { places } = openTeamAccess(context);
  const most = options.lines === undefined ? DEFAULT_LINES : Number(options.lines);
  if (!Number.isInteger(most) || most < 1) {
    throw new HookwrightError("HW_USAGE", { detail: "`--lines` takes a number of at least 1.", command: "teams" });
  }
  const texts = OLD_FILES.map((suffix) => `${places.events}${suffix}`).filter((file) => fs.existsSync(file));
  const whole = texts.flatMap((file) => fs.readFileSync(file, "utf8").split("\n")).filter((text) => text.trim() !== "");
  const parsed = whole.map((text) => ({ text, line: parse(text) }));
  const broken = parsed.filter(({ line }) => line === undefined).length;
  const wanted = parsed.filter(({ line }) => line && (team === undefined || line.team === team)).slice(-most);
  if (options.json) for (const { text } of wanted) out(text);
  else if (wanted.length > 0) out(table(wanted.map(({ line }) => row(line ?? {}))));
  else out(`There are no events in ${places.events}.`);
  if (broken > 0) err(`${broken} ${broken === 1 ? "line" : "lines"} could not be read.`);
  return 0;
}

function row({ received_at, type, team, agent, session_id, source, processed, reason }: Line): string[] {
  const result = processed === false ? `ignored: ${shown(reason)}` : "";
  return [
    shown(received_at),
    shown(type),
    `${shown(team)}/${shown(agent)}`,
    shown(session_id).slice(0, 8),
    shown(source),
    result,
  ];
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : "-";
}

function parse(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as unknown;
    return typeof line === "object" && line !== null ? (line as Line) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
