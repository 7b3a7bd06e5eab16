import { program } from "../../program.ts";

export default program({
  names: ["goose"],
  kind: "destroy-database",
  service: true,
  values: "dir",
  rules: [["** reset|down-to", "reverts every migration, which drops the tables and their rows"]],
  examples: {
    hit: ["goose reset"],
    pass: ["goose up"],
  },
});
