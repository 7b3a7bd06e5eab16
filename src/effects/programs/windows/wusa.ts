import { program } from "../../program.ts";

export default program({
  names: ["wusa"],
  kind: "destroy-infrastructure",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["**", "removes an update", { needs: "uninstall" }]],
  examples: {
    hit: ["wusa /uninstall"],
    pass: ["wusa update.msu"],
  },
});
