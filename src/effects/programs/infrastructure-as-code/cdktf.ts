import { program } from "../../program.ts";

export default program({
  names: ["cdktf"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["destroy", "destroys the stack {}"]],
  examples: {
    hit: ["cdktf destroy web"],
    pass: ["cdktf synth"],
  },
});
