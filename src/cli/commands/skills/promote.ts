import { printable } from "../../../config/printable.ts";
import { fingerprint } from "../../../core/text/fingerprint.ts";
import { fileReader } from "../../../domain/mode/files/file-reader.ts";
import { progressOf } from "../../../domain/mode/ralph/progress-file.ts";
import type { SkillDraft } from "../../../domain/skills/draft.ts";
import { skillFromLearning } from "../../../domain/skills/skill-text.ts";
import { fileSkills } from "../../../domain/skills/write-skill.ts";
import { table } from "../../terminal/style.ts";
import { withOptions, write } from "./add.ts";
import { removeFile, type SkillCall, theNamed, usageError } from "./call.ts";

/** Something that could become a skill. */
interface Candidate {
  readonly id: string;
  readonly from: "session" | "ralph";
  readonly draft: SkillDraft;
}

const SHORTEST_LEARNING = 20;

export function promote(call: SkillCall): void {
  const { words, options, access } = call;
  const all = candidates(call);
  const [id] = words;
  if (id === undefined) {
    show(all, call);
    return;
  }
  const candidate = all.find((one) => one.id === id);
  if (candidate) {
    write(
      call,
      withOptions({ ...candidate.draft, source: candidate.from === "ralph" ? "promoted" : "extracted" }, options),
    );
    if (candidate.from === "session") access.write((records) => records.forgetMoment(id));
    return;
  }
  moveToPerson(call);
}

function candidates({ access, now }: SkillCall): Candidate[] {
  const moments = access.read((records) => records.moments());
  const { learnings } = progressOf(fileReader(access.project, now()), "progress.txt");
  const long = learnings.filter((learning) => learning.length >= SHORTEST_LEARNING);
  return [
    ...moments.map(({ id, draft }): Candidate => ({ id, from: "session", draft })),
    ...long.map(
      (learning): Candidate => ({
        id: fingerprint(learning).slice(0, 6),
        from: "ralph",
        draft: skillFromLearning(learning),
      }),
    ),
  ];
}

function show(all: readonly Candidate[], { options, out }: SkillCall): void {
  if (options.json) {
    out(JSON.stringify({ candidates: all.map(({ id, from, draft }) => ({ id, from, ...draft })) }));
    return;
  }
  if (all.length === 0) out("Nothing is waiting to become a skill.");
  else out(table(all.map(({ id, from, draft }) => [id, from, printable(draft.description, 200)])));
}

/** It is written before it is removed, so that it is never lost: in between it is in both places. */
function moveToPerson(call: SkillCall): void {
  const { access, options, now, out } = call;
  const skill = theNamed(call, "project");
  if (fileSkills.info(skill.at.file)?.kind !== "file")
    throw usageError(`${skill.at.shown} is a link, and is not moved.`);
  const use = access.useOf(skill);
  const to = access.copyToPerson(skill, now());
  access.write((records) => {
    const before = records.useOf("person", skill.id);
    records.setUse("person", skill.id, { uses: before.uses + use.uses, last: Math.max(before.last, use.last) });
    records.setUse("project", skill.id, { uses: 0, last: 0 });
  });
  removeFile(skill);
  if (options.json) out(JSON.stringify({ id: skill.id, file: to }));
  else out(`Moved ${skill.at.shown} to ${to}.`);
}
