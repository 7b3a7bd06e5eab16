import { program } from "../../program.ts";

export default program({
  names: ["vdo"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["remove", "removes the volume"]],
  examples: {
    hit: ["vdo remove"],
    pass: ["vdo status --name vdo1"],
  },
});
