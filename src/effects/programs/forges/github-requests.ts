import { type Effect, effect, type Family } from "../../effect.ts";
import { has, readLoosely, valuesOf } from "../../loose-options.ts";

/** Forms in which a value decides. */
export const githubRequests: Family = (command): readonly Effect[] => {
  const reading = readLoosely(command.argv.slice(1), "R repo X method H header f field F raw-field input visibility");
  const [first, second] = reading.operands.map(({ text }) => text);
  const isPublic = valuesOf(reading, "visibility").some(({ text }) => text === "public");
  if (first === "repo" && second === "edit" && isPublic && !has(reading, "accept-visibility-change-consequences"))
    return [effect("publish", command, "makes the repository public", { target: reading.operands[2]?.text ?? "" })];
  const undrafted = reading.given.get("draft")?.some((value) => value?.text === "false");
  if (first === "release" && second === "edit" && undrafted)
    return [effect("publish", command, "makes the release public", { target: reading.operands[2]?.text ?? "" })];
  const method = (valuesOf(reading, "X method").at(-1)?.text ?? "").toUpperCase();
  const deletes = method === "DELETE";
  const target = second ?? "";
  const forced = valuesOf(reading, "f field F raw-field").some(({ text }) => text === "force=true");
  if (first === "api" && method === "PATCH" && forced && /\/git\/refs\//.test(target))
    return [effect("delete-remote-history", command, `replaces the commits of ${target}`, { target })];
  if (
    first === "api" &&
    second === "graphql" &&
    reading.operands
      .concat(valuesOf(reading, "f field F raw-field"))
      .some(({ text }) =>
        /\bmutation\b[\s\S]*\b(?:delete(?:Ref|Issue|Project\w*|Branch\w*|Deployment)|updateRefs?)\b/.test(text),
      )
  )
    return [effect("destroy-infrastructure", command, "deletes by a query", { target })];
  if (
    first !== "api" ||
    !deletes ||
    /\/(?:labels|reactions|subscription|starred|assignees|requested_reviewers)\b/.test(target)
  )
    return [];
  return [effect("destroy-infrastructure", command, `deletes ${target}`, { target })];
};
