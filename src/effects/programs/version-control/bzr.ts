import { program } from "../../program.ts";

export default program({
  names: ["bzr", "brz"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  dry: "dry-run",
  rules: [
    ["revert", "discards uncommitted changes", { needs: "no-backup" }],
    ["clean-tree", "deletes unknown files", { needs: "force" }],
    ["uncommit", "removes commits", { kind: "rewrite-history", needs: "force" }],
    ["push", "replaces the other branch", { kind: "delete-remote-history", needs: "overwrite" }],
  ],
  examples: {
    hit: ["bzr revert --no-backup", "bzr clean-tree --force", "bzr uncommit --force", "bzr push --overwrite"],
    pass: ["bzr revert"],
  },
});
