import { program } from "../../program.ts";

export default program({
  names: ["cm"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  rules: [
    ["undo|unco", "discards uncommitted changes"],
    ["rm|remove private", "deletes private files"],
  ],
  examples: {
    hit: ["cm undo", "cm rm private"],
    pass: ["cm status"],
  },
});
