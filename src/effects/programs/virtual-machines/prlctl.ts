import { program } from "../../program.ts";

export default program({
  names: ["prlctl"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["delete|snapshot-delete", "deletes {}"]],
  examples: {
    hit: ["prlctl delete web"],
    pass: ["prlctl stop web"],
  },
});
