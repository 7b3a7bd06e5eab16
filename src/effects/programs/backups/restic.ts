import { program } from "../../program.ts";

export default program({
  names: ["restic"],
  kind: "destroy-infrastructure",
  service: true,
  values:
    "r repo p password-file keep-last keep-hourly keep-daily keep-weekly keep-monthly keep-yearly keep-within keep-tag host tag path group-by c g",
  dry: "dry-run n",
  rules: [
    ["forget", "deletes backups", { needs: "prune" }],
    ["forget *", "deletes the backup {}"],
    ["key remove", "removes a key of the repository"],
  ],
  examples: {
    hit: [
      "restic forget --keep-last 1 --prune",
      "restic -r /backup forget --prune --keep-daily 7",
      "restic forget web web",
      "restic key remove",
    ],
    pass: ["restic forget --keep-last 1 --dry-run", "restic snapshots"],
  },
});
