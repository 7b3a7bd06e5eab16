import { program } from "../../program.ts";

export default program({
  names: ["flask"],
  kind: "destroy-database",
  exempt: "their words are tasks of the project",
  values: "app A",
  dry: "sql",
  rules: [["db downgrade base|0", "reverts every migration, which drops the tables and their rows"]],
  examples: {
    hit: ["flask db downgrade base"],
    pass: ["flask db downgrade base --sql"],
  },
});
