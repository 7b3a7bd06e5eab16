import { program } from "../../program.ts";

export default program({
  names: ["gsutil"],
  kind: "destroy-infrastructure",
  service: true,
  values: "o h u",
  rules: [
    ["rm", "deletes {}"],
    ["rb", "removes the bucket {}"],
    ["rsync", "deletes what the source does not have at {}", { needs: "d", unless: "n" }],
  ],
  examples: {
    hit: ["gsutil rm -r gs://bucket", "gsutil rb gs://bucket", "gsutil rsync -d -r a gs://b"],
    pass: ["gsutil ls gs://b", "gsutil cp a gs://b", "gsutil rsync -r a gs://b", "gsutil rsync -d -n a gs://b"],
  },
});
