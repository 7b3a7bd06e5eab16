import { program } from "../../program.ts";

export default program({
  names: ["rados"],
  kind: "destroy-infrastructure",
  service: true,
  values: "p pool n name",
  rules: [["rmpool|purge|rm|cleanup", "removes {}"]],
  examples: {
    hit: ["rados rmpool web"],
    pass: ["rados -p data ls"],
  },
});
