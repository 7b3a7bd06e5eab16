import { program } from "../../program.ts";

export default program({
  names: ["tarsnap"],
  kind: "destroy-infrastructure",
  service: true,
  values: "f keyfile",
  dry: "dry-run",
  rules: [["**", "deletes backups", { needs: "nuke d" }]],
  examples: {
    hit: ["tarsnap --nuke"],
    pass: ["tarsnap --list-archives"],
  },
});
