import { randomBytes } from "node:crypto";
import { printable } from "../../../config/printable.ts";
import { projectRoot } from "../../../core/actor.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { commandHash, GRANTS, type Grant, grantsIn } from "../../../domain/grants/grants.ts";
import { EFFECT_KINDS } from "../../../effects/effect.ts";
import { Database } from "../../../state/database.ts";
import { maskText } from "../../../state/masking.ts";
import { bumpRevision } from "../../../state/sessions.ts";
import { openTable, projectScope } from "../../../state/stores.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { openStateOrEmpty } from "../../state/open-state.ts";
import type { Terminal } from "../../terminal/confirm.ts";
import { confirmByTypedWord, refusalUnlessPerson } from "../../terminal/person.ts";
import { table } from "../../terminal/style.ts";
import { formatTime } from "../journal/time-format.ts";

const BUSY_MS = 5_000;
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
const DAY_MS = 86_400_000;
/** An unused grant for one time expires after this. */
const UNUSED_MS = 3_600_000;
const LONGEST_TEXT = 200;

export async function runAllow(context: CommandContext, terminal: Terminal): Promise<number> {
  const { args, options, env } = context;
  const isGiving = args.length > 0 || options.kind !== undefined || options.once === true || options.for !== undefined;
  if (options.list === true || (!isGiving && options.revoke === undefined)) {
    if (isGiving || options.revoke !== undefined) throw usage("`--list` cannot be combined with other arguments.");
    return list(context);
  }
  const refusal = refusalUnlessPerson("allow", env, terminal);
  if (refusal !== undefined) {
    context.err(refusal);
    return 1;
  }
  return options.revoke === undefined ? give(context, terminal) : revoke(context, String(options.revoke));
}

async function give(context: CommandContext, terminal: Terminal): Promise<number> {
  const grant = readGrant(context);
  const project = projectRoot(context.cwd, system);
  const question = `In ${project} an agent may do this ${lasting(grant)}:\n  ${printable(grant.shown, LONGEST_TEXT)}\n`;
  if (!(await confirmByTypedWord("allow", question, terminal))) {
    context.out("Nothing was changed.");
    return 1;
  }
  change(context, (grants) => grants.set(grant.id, grant));
  context.out(`Allowed. \`hookwright allow --revoke ${grant.id}\` revokes this.`);
  return 0;
}

/** Allows a command once in a project, for a person who was asked elsewhere. */
export function allowOnce(context: Pick<CommandContext, "cwd" | "env">, command: string, reason: string): Grant {
  const grant = readGrant({ args: [command], options: { once: true, reason } });
  change(context, (grants) => grants.set(grant.id, grant));
  return grant;
}

function readGrant({ args, options }: Pick<CommandContext, "args" | "options">): Grant {
  const [command = "", ...more] = args;
  const { kind = "", target = "", reason = "" } = options;
  if (more.length > 0) throw usage("Put the whole command in quotes.");
  if ((command.trim() === "") === (kind === "")) throw usage("Give either a command or `--kind`.");
  if (kind !== "" && !Object.hasOwn(EFFECT_KINDS, String(kind)))
    throw usage(
      `\`${printable(String(kind))}\` is not a kind of loss. The kinds are ${Object.keys(EFFECT_KINDS).join(", ")}.`,
    );
  if ((kind === "") !== (target === "")) throw usage("`--kind` and `--target` go together.");
  if (options.once !== true && options.for === undefined) throw usage("Give `--once`, or how long with `--for 10m`.");
  return {
    id: randomBytes(4).toString("hex"),
    isOnce: options.once === true,
    until: Date.now() + (options.for === undefined ? UNUSED_MS : duration(String(options.for))),
    command: command === "" ? "" : commandHash(command),
    shown: command === "" ? `${kind} of ${target}` : maskText(command),
    kind: String(kind),
    target: String(target),
    reason: maskText(String(reason)),
  };
}

function duration(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const time = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (!(time > 0 && time <= DAY_MS))
    throw usage(`\`--for\` takes a time such as 30s, 10m or 2h, at most a day; not \`${printable(text)}\`.`);
  return time;
}

function list({ cwd, env, options, out }: CommandContext): number {
  const db = openStateOrEmpty(homeOf(env).database);
  const grants = grantsIn(openTable(db, scopeOf(cwd), GRANTS), Date.now());
  db.close();
  if (options.json) out(JSON.stringify(grants.map((one) => ({ ...one, until: new Date(one.until).toISOString() }))));
  else if (grants.length === 0) out("This project has no grants: only the configuration decides what is allowed.");
  else
    out(
      table([
        ["id", "until", "times", "what", "why"],
        ...grants.map(({ id, until, isOnce, shown, reason }) => [
          ...[id, formatTime(until), isOnce ? "once" : "any"],
          printable(shown, LONGEST_TEXT),
          printable(reason, LONGEST_TEXT),
        ]),
      ]),
    );
  return 0;
}

function revoke(context: CommandContext, id: string): number {
  let isThere = false;
  change(context, (grants) => {
    isThere = grants.get(id) !== undefined;
    if (isThere) grants.delete(id);
  });
  if (!isThere)
    throw usage(`There is no grant \`${printable(id)}\` in this project; \`hookwright allow --list\` shows them.`);
  context.out("Revoked: this is no longer allowed.");
  return 0;
}

/** Changes the grants and removes expired ones. The new revision makes decisions in progress start again. */
function change(
  { cwd, env }: Pick<CommandContext, "cwd" | "env">,
  write: (grants: ReturnType<typeof openTable>) => void,
): void {
  const db = new Database(homeOf(env).database, BUSY_MS);
  try {
    const done = db.transaction(() => {
      const scope = scopeOf(cwd);
      const grants = openTable(db, scope, GRANTS, () => undefined);
      const inForce = new Set(grantsIn(grants, Date.now()).map(({ id }) => id));
      for (const id of grants.keys()) if (!inForce.has(id)) grants.delete(id);
      write(grants);
      bumpRevision(db, scope);
      return true;
    });
    if (!done) throw new HookwrightError("HW_STATE_BUSY");
  } finally {
    db.close();
  }
}

function scopeOf(cwd: string): string {
  return projectScope({ agent: "", session: "", agentId: "", project: projectRoot(cwd, system) });
}

function lasting({ isOnce, until }: Grant): string {
  const minutes = Math.round((until - Date.now()) / 60_000);
  const time = minutes >= 120 ? `${Math.round(minutes / 60)} hours` : `${Math.max(1, minutes)} minutes`;
  return isOnce ? `once, within ${time}` : `for ${time}`;
}

function usage(detail: string): HookwrightError {
  return new HookwrightError("HW_USAGE", { detail, command: "allow" });
}
