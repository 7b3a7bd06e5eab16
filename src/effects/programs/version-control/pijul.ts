import { program } from "../../program.ts";

export default program({
  names: ["pijul"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  rules: [
    ["reset", "discards uncommitted changes"],
    ["unrecord", "removes changes", { kind: "rewrite-history", needs: "reset" }],
  ],
  examples: {
    hit: ["pijul reset", "pijul unrecord --reset"],
    pass: ["pijul unrecord"],
  },
});
