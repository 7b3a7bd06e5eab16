import { program } from "../../program.ts";

export default program({
  names: ["gt", "graphite"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  rules: [
    ["branch|b delete|dl", "deletes a branch", { kind: "rewrite-history", needs: "f force" }],
    ["delete|dl", "deletes a branch", { kind: "rewrite-history", needs: "f force" }],
  ],
  examples: {
    hit: ["gt branch delete -f", "gt delete -f"],
    pass: ["gt branch delete"],
  },
});
