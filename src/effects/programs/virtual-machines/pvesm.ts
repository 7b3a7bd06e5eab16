import { program } from "../../program.ts";

export default program({
  names: ["pvesm"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["free|remove", "removes the volume {}"]],
  examples: {
    hit: ["pvesm free web"],
    pass: ["pvesm status"],
  },
});
