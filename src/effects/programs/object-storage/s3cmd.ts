import { program } from "../../program.ts";

export default program({
  names: ["s3cmd"],
  kind: "destroy-infrastructure",
  service: true,
  values: "c config access_key secret_key",
  dry: "dry-run n",
  rules: [
    ["del|rm", "deletes {}"],
    ["rb", "removes the bucket {}"],
    ["sync", "deletes what the source does not have at {}", { needs: "delete-removed" }],
  ],
  examples: {
    hit: ["s3cmd del --recursive s3://b", "s3cmd rb s3://b", "s3cmd sync web --delete-removed"],
    pass: ["s3cmd ls", "s3cmd del --dry-run s3://b/x"],
  },
});
