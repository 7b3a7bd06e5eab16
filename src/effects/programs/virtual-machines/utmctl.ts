import { program } from "../../program.ts";

export default program({
  names: ["utmctl"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["delete", "deletes {}"]],
  examples: {
    hit: ["utmctl delete web"],
    pass: ["utmctl stop web"],
  },
});
