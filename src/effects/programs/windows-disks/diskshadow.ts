import { program } from "../../program.ts";

export default program({
  names: ["diskshadow"],
  kind: "destroy-infrastructure",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [
    ["**", "changes shadow copies by a script", { needs: "s" }],
    ["** -s", "changes shadow copies by a script"],
  ],
  examples: {
    hit: ["diskshadow /s", "diskshadow -s"],
    pass: ["diskshadow"],
  },
});
