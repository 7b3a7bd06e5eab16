import { program } from "../../program.ts";

export default program({
  names: ["jj"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  values: "R repository at-op config expire r revisions b bookmark",
  dry: "dry-run",
  rules: [
    ["op|operation abandon", "deletes entries of the operation log, which undo needs", { kind: "rewrite-history" }],
    ["util gc", "deletes old operations, which undo needs", { kind: "rewrite-history", needs: "expire=now" }],
    ["git push", "deletes branches of the remote", { kind: "delete-remote-history", needs: "deleted" }],
  ],
  examples: {
    hit: ["jj op abandon", "jj util gc --expire=now", "jj git push --deleted"],
    pass: ["jj util gc"],
  },
});
