import { type Effect, effect, type Family } from "../effect.ts";
import { both, has, type Rule, readLoosely, type Tool, toolFamily, valuesOf } from "../tool.ts";

const release = (rules: readonly Rule[], more: Partial<Tool> = {}): Family =>
  toolFamily({ kind: "publish", dry: "dry-run", rules, ...more });
const DESTROY = { kind: "destroy-infrastructure" } as const;

const GH = release(
  [
    ["release create", "makes the release {} public", { unless: "draft d" }],
    ["release delete", "deletes the release {}", DESTROY],
    ["release delete-asset", "deletes a file of the release {}", DESTROY],
    ["release upload", "replaces files of the release {}", { ...DESTROY, needs: "clobber" }],
    ["repo delete", "deletes the repository {} with its issues", DESTROY],
    ["repo sync", "replaces the commits of {}", { kind: "delete-remote-history", needs: "force" }],
    ["secret|variable delete|remove", "deletes {}", DESTROY],
    ["issue|gist|project|codespace|environment|ruleset delete", "deletes {}", DESTROY],
    ["cache|run|label|alias|extension|ssh-key|gpg-key|config delete|remove"],
    ["gist create", "makes {} public", { needs: "public p" }],
    ["repo edit", "makes the repository {} public", { needs: "accept-visibility-change-consequences" }],
  ],
  { values: "R repo t title n notes F notes-file target tag hostname" },
);

const HUB = release([
  ["release create", "makes the release {} public", { unless: "draft d" }],
  ["release delete", "deletes the release {}", DESTROY],
  ["delete", "deletes the repository {} with its issues", DESTROY],
]);

/** Forms in which a value decides. */
const byValue: Family = (command): readonly Effect[] => {
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

/** What keeps repositories, by its command line. */
export const FORGES: Readonly<Record<string, Family>> = {
  gh: both(GH, byValue),
  glab: release(
    [
      ["release create|upload", "makes the release {} public"],
      ["release delete", "deletes the release {}", DESTROY],
      ["repo|project delete", "deletes the repository {}", DESTROY],
      ["issue|mr|variable|ci|snippet delete", "deletes {}", DESTROY],
      ["api", "deletes {}", { ...DESTROY, needs: "X=DELETE method=DELETE" }],
    ],
    { values: "R repo n name X method H header F field f" },
  ),
  hub: both(HUB, byValue),
  tea: release([["repo|repos delete|rm", "deletes the repository {}", DESTROY]]),
};
