import { program } from "../../program.ts";

export default program({
  names: ["wal-g"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["delete", "deletes backups", { needs: "confirm" }]],
  examples: {
    hit: ["wal-g delete --confirm"],
    pass: ["wal-g delete"],
  },
});
