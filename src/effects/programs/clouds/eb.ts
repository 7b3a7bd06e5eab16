import { program } from "../../program.ts";

export default program({
  names: ["eb"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["terminate", "terminates the environment {}"]],
  examples: {
    hit: ["eb terminate web"],
    pass: ["eb deploy"],
  },
});
