import { program } from "../../program.ts";

export default program({
  names: ["del", "erase"],
  kind: "delete-file",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["**", "deletes files", { needs: "s f q" }]],
  examples: {
    hit: ["del /s"],
    pass: ["del"],
  },
});
