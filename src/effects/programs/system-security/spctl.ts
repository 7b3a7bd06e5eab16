import { program } from "../../program.ts";

export default program({
  names: ["spctl"],
  kind: "permission-blast",
  rules: [
    ["**", "switches off the check for unsigned programs", { needs: "master-disable global-disable", target: "last" }],
  ],
  examples: {
    hit: ["spctl --master-disable"],
    pass: ["spctl --status"],
  },
});
