import { program } from "../../program.ts";

export default program({
  names: ["csrutil"],
  kind: "permission-blast",
  rules: [["** disable", "switches off system integrity protection", { target: "last" }]],
  examples: {
    hit: ["csrutil disable"],
    pass: ["csrutil status"],
  },
});
