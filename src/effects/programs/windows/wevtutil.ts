import { program } from "../../program.ts";

export default program({
  names: ["wevtutil"],
  kind: "delete-file",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["cl|clear-log|um|uninstall-manifest", "empties a log of the system", { named: true }]],
  examples: {
    hit: ["wevtutil cl web"],
    pass: ["wevtutil qe System"],
  },
});
