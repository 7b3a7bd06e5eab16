import { program } from "../../program.ts";

export default program({
  names: ["serverless", "sls"],
  kind: "destroy-infrastructure",
  service: true,
  values: "s stage r region",
  rules: [["remove", "removes the service with its resources"]],
  examples: {
    hit: ["serverless remove --stage prod", "sls remove"],
    pass: ["serverless deploy"],
  },
});
