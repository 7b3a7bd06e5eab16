import { program } from "../../program.ts";

export default program({
  names: ["s5cmd"],
  kind: "destroy-infrastructure",
  service: true,
  values: "endpoint-url profile credentials-file numworkers",
  dry: "dry-run",
  rules: [
    ["rm|rb", "deletes {}"],
    ["sync", "deletes what the source does not have at {}", { needs: "delete" }],
  ],
  examples: {
    hit: ["s5cmd rm 's3://b/*'", "s5cmd sync web --delete"],
    pass: ["s5cmd ls"],
  },
});
