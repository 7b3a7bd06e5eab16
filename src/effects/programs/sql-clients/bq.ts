import { program } from "../../program.ts";

export default program({
  names: ["bq"],
  kind: "destroy-database",
  service: true,
  values: "project_id location dataset_id",
  dry: "dry_run",
  rules: [
    ["rm", "removes {}"],
    ["load|query", "replaces the rows of {}", { needs: "replace" }],
    ["cp", "replaces the rows of {}", { needs: "f force" }],
  ],
  sql: [{ after: "query", dialect: { backslash: true, hash: true }, unless: "dry_run" }],
  examples: {
    hit: [
      "bq rm -r -f -d project:dataset",
      "bq load --replace sales.orders orders.csv",
      "bq cp -f sales.orders sales.kept",
      "bq query 'DROP TABLE orders'",
    ],
    pass: [
      "bq ls",
      "bq query --dry_run 'DROP TABLE ds.t'",
      "bq load sales.orders orders.csv",
      "bq cp sales.orders sales.copied",
      "bq mk -f --table sales.orders",
    ],
  },
});
