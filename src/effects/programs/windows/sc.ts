import { program } from "../../program.ts";

export default program({
  names: ["sc"],
  kind: "destroy-infrastructure",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [
    ["delete", "removes a service", { named: true }],
    ["\\\\* delete", "removes a service", { named: true }],
  ],
  examples: {
    hit: ["sc '\\\\\\\\host' delete web", "sc delete web"],
    pass: ["sc query web"],
  },
});
