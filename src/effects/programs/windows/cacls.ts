import { program } from "../../program.ts";

export default program({
  names: ["cacls"],
  kind: "permission-blast",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["**", "changes the permissions of everything below", { needs: ["t", "g p d e"] }]],
  examples: {
    hit: ["cacls /t /g"],
    pass: ["cacls"],
  },
});
