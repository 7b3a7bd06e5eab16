import { program } from "../../program.ts";

export default program({
  names: ["cvs"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  values: "d r D",
  dry: "n",
  rules: [
    ["update|up", "discards uncommitted changes", { needs: "C" }],
    ["release", "deletes the work tree {}", { needs: "d" }],
    ["remove|rm|delete", "deletes {}", { needs: "f" }],
    ["admin", "removes revisions for good", { kind: "rewrite-history", needs: "o" }],
  ],
  examples: {
    hit: ["cvs update -C", "cvs release web -d x", "cvs remove web -f", "cvs admin -o"],
    pass: ["cvs update"],
  },
});
