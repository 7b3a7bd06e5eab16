import { program } from "../../program.ts";

export default program({
  names: ["takeown"],
  kind: "permission-blast",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["**", "changes who owns everything below", { needs: "r" }]],
  examples: {
    hit: ["takeown /r"],
    pass: ["takeown /f notes.txt"],
  },
});
