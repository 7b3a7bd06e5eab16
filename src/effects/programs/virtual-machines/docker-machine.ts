import { program } from "../../program.ts";

export default program({
  names: ["docker-machine"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["rm", "removes the machine {}"]],
  examples: {
    hit: ["docker-machine rm -f m"],
    pass: ["docker-machine stop web"],
  },
});
