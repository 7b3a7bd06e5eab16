import { program } from "../../program.ts";

export default program({
  names: ["superset"],
  kind: "destroy-database",
  service: true,
  rules: [["db downgrade", "takes migrations back"]],
  examples: {
    hit: ["superset db downgrade"],
    pass: ["superset db upgrade"],
  },
});
