import { program } from "../../program.ts";

export default program({
  names: ["pscale"],
  kind: "destroy-database",
  service: true,
  rules: [["database|branch delete", "deletes {}"]],
  examples: {
    hit: ["pscale database delete web"],
    pass: ["pscale branch list shop"],
  },
});
