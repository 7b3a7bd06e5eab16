import { program } from "../../program.ts";

export default program({
  names: ["cdk"],
  kind: "destroy-infrastructure",
  service: true,
  values: "profile c context a app",
  rules: [["destroy", "destroys the stack {}"]],
  examples: {
    hit: ["cdk destroy --all --force"],
    pass: ["cdk diff", "cdk deploy", "cdk synth"],
  },
});
