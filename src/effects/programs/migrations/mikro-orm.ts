import { program } from "../../program.ts";

export default program({
  names: ["mikro-orm"],
  kind: "destroy-database",
  service: true,
  rules: [["schema:drop|schema:fresh|database:drop|migration:fresh", "drops every table", { unless: "dump" }]],
  examples: {
    hit: ["mikro-orm schema:drop"],
    pass: ["mikro-orm schema:drop --dump"],
  },
});
