import { program } from "../../program.ts";

export default program({
  names: ["darcs"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  dry: "dry-run",
  rules: [
    ["revert", "discards uncommitted changes", { needs: "a all" }],
    ["obliterate|unpull", "removes patches for good", { kind: "rewrite-history" }],
  ],
  examples: {
    hit: ["darcs revert -a", "darcs obliterate"],
    pass: ["darcs revert"],
  },
});
