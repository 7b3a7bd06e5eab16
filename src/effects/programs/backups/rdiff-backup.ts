import { program } from "../../program.ts";

export default program({
  names: ["rdiff-backup"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["**", "deletes backups", { needs: "remove-older-than" }],
    ["remove increments", "deletes backups"],
  ],
  examples: {
    hit: ["rdiff-backup --remove-older-than", "rdiff-backup remove increments"],
    pass: ["rdiff-backup /home/u /backup"],
  },
});
