import { program } from "../../program.ts";

export default program({
  names: ["sam"],
  kind: "destroy-infrastructure",
  service: true,
  values: "stack-name region profile",
  rules: [["delete", "deletes the stack"]],
  examples: {
    hit: ["sam delete --stack-name s"],
    pass: ["sam build"],
  },
});
