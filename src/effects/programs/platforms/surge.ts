import { program } from "../../program.ts";

export default program({
  names: ["surge"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["teardown", "removes {} from the service"]],
  examples: {
    hit: ["surge teardown web"],
    pass: ["surge list"],
  },
});
