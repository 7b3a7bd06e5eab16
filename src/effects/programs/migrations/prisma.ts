import { program } from "../../program.ts";

export default program({
  names: ["prisma"],
  kind: "destroy-database",
  service: true,
  values: "schema",
  rules: [
    ["migrate reset", "drops and recreates the database"],
    ["db push", "drops everything in the database and recreates its tables", { needs: "force-reset" }],
    ["db push", "drops columns and tables that the schema no longer has", { needs: "accept-data-loss" }],
  ],
  sql: [{ after: "db execute", files: "file", stdin: true }],
  examples: {
    hit: [
      "prisma db push --force-reset",
      "prisma migrate reset",
      "prisma db push --accept-data-loss",
      "echo 'DROP TABLE orders' | prisma db execute --stdin",
    ],
    pass: ["prisma db push", "prisma migrate status"],
  },
});
