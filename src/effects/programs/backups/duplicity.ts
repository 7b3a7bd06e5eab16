import { program } from "../../program.ts";

export default program({
  names: ["duplicity"],
  kind: "destroy-infrastructure",
  service: true,
  dry: "dry-run",
  rules: [
    ["remove-older-than|remove-all-but-n-full|remove-all-inc-of-but-n-full", "deletes backups", { needs: "force" }],
  ],
  examples: {
    hit: ["duplicity remove-older-than --force"],
    pass: ["duplicity remove-older-than"],
  },
});
