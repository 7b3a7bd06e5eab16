import { program } from "../../program.ts";

export default program({
  names: ["neonctl"],
  kind: "destroy-database",
  service: true,
  rules: [
    ["projects|branches|databases delete", "deletes {}"],
    ["branches reset|restore", "replaces the data of the branch {}"],
  ],
  examples: {
    hit: ["neonctl branches reset main --parent", "neonctl projects delete web"],
    pass: ["neonctl branches list"],
  },
});
