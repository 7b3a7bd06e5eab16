import { program } from "../../program.ts";

export default program({
  names: ["migrate"],
  kind: "destroy-database",
  service: true,
  values: "path database source",
  rules: [
    ["drop", "drops everything in the database"],
    ["down", "reverts every migration, which drops the tables and their rows", { needs: "all" }],
  ],
  examples: {
    hit: ["migrate drop", "migrate down --all"],
    pass: ["migrate down"],
  },
});
