import { program } from "../../program.ts";

export default program({
  names: ["barman"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["delete", "deletes the backup {}"]],
  examples: {
    hit: ["barman delete web"],
    pass: ["barman list-backups main"],
  },
});
