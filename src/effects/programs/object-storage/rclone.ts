import { program } from "../../program.ts";

export default program({
  names: ["rclone"],
  kind: "destroy-infrastructure",
  service: true,
  values: "config include exclude filter filter-from transfers checkers bwlimit log-file min-age max-age dedupe-mode",
  dry: "dry-run n interactive i",
  rules: [
    ["delete|purge|deletefile", "deletes {}", { instead: "run it with --dry-run first" }],
    [
      "sync",
      "deletes at the target what the source does not have: {}",
      { unless: "backup-dir", instead: "use copy, or run it with --dry-run first" },
    ],
    ["dedupe", "deletes files that look the same in {}", { unless: "interactive" }],
    ["cleanup", "empties the trash of {}"],
  ],
  examples: {
    hit: [
      "rclone delete remote:path",
      "rclone purge remote:path",
      "rclone sync ./a remote:b",
      "rclone --config c sync a remote:b",
      "rclone dedupe remote:a",
      "rclone cleanup web",
    ],
    pass: [
      "rclone ls remote:",
      "rclone copy a remote:b",
      "rclone sync a remote:b --dry-run",
      "rclone sync -n a remote:b",
      "rclone delete remote:p --dry-run",
      "rclone check a b",
    ],
  },
});
