import { program } from "../../program.ts";

export default program({
  names: ["wbadmin"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["delete", "deletes backups of the system"]],
  examples: {
    hit: ["wbadmin delete"],
    pass: ["wbadmin get versions"],
  },
});
