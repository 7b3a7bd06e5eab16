import { program } from "../../program.ts";

export default program({
  names: ["sea-orm-cli"],
  kind: "destroy-database",
  service: true,
  rules: [["migrate fresh|reset|refresh", "drops and recreates the database"]],
  examples: {
    hit: ["sea-orm-cli migrate fresh"],
    pass: ["sea-orm-cli migrate up"],
  },
});
