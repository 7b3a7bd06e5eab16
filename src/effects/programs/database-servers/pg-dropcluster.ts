import { program } from "../../program.ts";

export default program({
  names: ["pg_dropcluster"],
  kind: "destroy-database",
  service: true,
  rules: [["*", "removes the database cluster {}"]],
  examples: {
    hit: ["pg_dropcluster web web"],
    pass: ["pg_dropcluster --version"],
  },
});
