import { program } from "../../program.ts";

export default program({
  names: ["sequelize", "sequelize-cli"],
  kind: "destroy-database",
  service: true,
  rules: [
    ["db:drop", "drops the database"],
    ["db:migrate:undo:all", "reverts every migration, which drops the tables and their rows"],
  ],
  examples: {
    hit: ["sequelize db:drop", "sequelize db:migrate:undo:all"],
    pass: ["sequelize db:migrate"],
  },
});
