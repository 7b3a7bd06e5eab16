import { program } from "../../program.ts";

export default program({
  names: ["b2", "backblaze-b2"],
  kind: "destroy-infrastructure",
  service: true,
  dry: "dry-run dryRun",
  rules: [
    ["rm|delete-bucket|delete-file-version", "deletes {}"],
    ["bucket|file delete", "deletes {}"],
    ["sync", "deletes what the source does not have at {}", { needs: "delete" }],
  ],
  examples: {
    hit: ["b2 delete-bucket b", "b2 rm --recursive b", "b2 bucket delete web", "b2 sync web --delete"],
    pass: ["b2 ls"],
  },
});
