import { program } from "../../program.ts";

export default program({
  names: ["borg", "borg1", "borg2"],
  kind: "destroy-infrastructure",
  service: true,
  values:
    "e exclude P prefix a glob-archives keep-within keep-last keep-secondly keep-minutely H keep-hourly d keep-daily w keep-weekly m keep-monthly y keep-yearly r repo",
  dry: "dry-run n",
  rules: [
    ["delete|repo-delete|prune", "deletes backups in {}"],
    ["recreate", "rewrites backups in {}"],
  ],
  examples: {
    hit: ["borg prune --keep-daily 7 /backup", "borg delete /backup::archive", "borg recreate web"],
    pass: ["borg prune --dry-run --list --keep-daily 7 /backup", "borg list /backup"],
  },
});
