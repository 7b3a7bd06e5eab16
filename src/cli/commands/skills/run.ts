import fs from "node:fs";
import { printable } from "../../../config/printable.ts";
import { nearestName } from "../../../core/text/nearest-name.ts";
import { SKILLS_OF_PROJECT } from "../../../domain/skills/places.ts";
import { fileSkills } from "../../../domain/skills/write-skill.ts";
import type { CommandContext } from "../../command.ts";
import { indented, table } from "../../terminal/style.ts";
import { add } from "./add.ts";
import { removeFile, type SkillCall, type SkillParts, theNamed, usageError } from "./call.ts";
import { promote } from "./promote.ts";
import { type FoundSkill, SkillAccess } from "./skill-access.ts";

const PRUNE_DAYS = 90;
const DAY_MS = 86_400_000;

const ACTIONS: Readonly<Record<string, (call: SkillCall) => Promise<void> | void>> = {
  list,
  show,
  add,
  promote,
  remove,
  prune,
};

export async function runSkills(context: CommandContext, parts: SkillParts): Promise<number> {
  const [name = "list", ...words] = context.args;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action) throw usageError(`There is no action \`${name}\`.${nearestName(name, Object.keys(ACTIONS))}`);
  const most = ["list", "prune"].includes(name) ? 0 : 1;
  if (words.length > most) throw usageError(`\`${words[most]}\` is one word too many. Put a text into quotes.`);
  const scope = context.options.global ? "person" : "project";
  await action({ ...context, ...parts, words, scope, access: new SkillAccess(context) });
  return 0;
}

/** A skill as programs read it. */
function asJson(skill: FoundSkill, { access }: SkillCall) {
  const { uses, last } = access.useOf(skill);
  const { body: _, at, quality, ...rest } = skill;
  const lastUsed = last === 0 ? null : new Date(last).toISOString();
  return { ...rest, quality: quality ?? null, scope: at.folder.scope, file: at.file, uses, lastUsed };
}

function list(call: SkillCall): void {
  const { access, options, out } = call;
  const library = access.library();
  const skills = library.skills.map((skill) => ({ ...asJson(skill, call), shown: skill.at.shown }));
  const { unusable } = library;
  if (options.json) {
    out(JSON.stringify({ skills: skills.map(({ shown: _, ...skill }) => skill), unusable }));
    return;
  }
  if (skills.length === 0)
    out(`There are no skills. \`hookwright skills add NAME\` writes one into ${SKILLS_OF_PROJECT}.`);
  else out(table([HEADINGS, ...skills.map((one) => [one.id, ...usageOf(one), ...shownOf(one)])]));
  for (const { shown, why } of unusable) out(`Not used: ${printable(shown)} (${why})`);
}

const HEADINGS = ["skill", "uses", "last use", "quality", "triggers", "file"];

function usageOf({ uses, lastUsed, quality }: ReturnType<typeof asJson>): string[] {
  return [String(uses), lastUsed?.slice(0, 10) ?? "never", String(quality ?? "-")];
}

/** What others wrote must not move the cursor of a terminal. */
function shownOf({ triggers, shown }: Pick<FoundSkill, "triggers"> & { readonly shown: string }): string[] {
  return [printable(triggers.join(", ")), printable(shown, 200)];
}

function show(call: SkillCall): void {
  const { options, out } = call;
  const skill = theNamed(call, options.global ? "person" : undefined);
  const json = asJson(skill, call);
  if (options.json) {
    out(JSON.stringify({ ...json, body: skill.body }));
    return;
  }
  const times = json.uses === 1 ? "once" : `${json.uses} times`;
  const used = json.lastUsed === null ? "never used" : `used ${times}, last on ${json.lastUsed.slice(0, 10)}`;
  out(`${skill.at.shown} (${used})\n`);
  out(indented(fs.readFileSync(skill.at.real, "utf8").trim(), 0));
}

function remove(call: SkillCall): void {
  const { options, out } = call;
  const skill = theNamed(call, options.global ? "person" : undefined);
  removeFile(skill);
  if (options.json) out(JSON.stringify({ removed: [skill.at.file] }));
  else out(`Removed ${skill.at.shown}.`);
}

/** Only what we have written by ourselves, and where we write. */
function prune(call: SkillCall): void {
  const { access, options, out, now } = call;
  const days = Number(options.days ?? PRUNE_DAYS);
  if (!Number.isInteger(days) || days < 1) throw usageError("`--days` takes a whole number from 1 on.");
  const before = now() - days * DAY_MS;
  const ours = [access.folder("project").path, access.folder("person").path];
  const isOld = (skill: FoundSkill): boolean => {
    const { last } = access.useOf(skill);
    const used = last > 0 ? last : Date.parse(skill.createdAt);
    // Without any time it may be of today.
    return used < before;
  };
  const old = access
    .library()
    .skills.filter(({ source, at }) => source !== "manual" && ours.includes(at.folder.path))
    .filter(({ at }) => fileSkills.info(at.file)?.kind === "file")
    .filter(isOld);
  if (!options["dry-run"]) for (const skill of old) removeFile(skill);
  if (options.json) {
    out(JSON.stringify({ [options["dry-run"] ? "wouldRemove" : "removed"]: old.map(({ at }) => at.file) }));
    return;
  }
  if (old.length === 0) out(`No skill that was written by itself is unused for ${days} days.`);
  for (const { at } of old) out(`${options["dry-run"] ? "Would remove" : "Removed"} ${at.shown}.`);
}
