import { program } from "../../program.ts";

export default program({
  names: ["mc"],
  kind: "destroy-infrastructure",
  service: true,
  dry: "dry-run fake",
  rules: [
    ["rm", "deletes everything under {}", { needs: "recursive r" }],
    ["rb", "removes the bucket {} with everything in it", { needs: "force" }],
    ["mirror", "deletes what the source does not have at {}", { needs: "remove" }],
  ],
  examples: {
    hit: ["mc rm --recursive --force minio/bucket", "mc rb --force minio/bucket", "mc mirror web --remove"],
    pass: ["mc ls minio", "mc rm --dry-run --recursive minio/b"],
  },
});
