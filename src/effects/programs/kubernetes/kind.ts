import { program } from "../../program.ts";

export default program({
  names: ["kind"],
  kind: "destroy-infrastructure",
  service: true,
  values: "name",
  rules: [["delete cluster|clusters", "deletes the local cluster {}"]],
  examples: {
    hit: ["kind delete cluster --name dev"],
    pass: ["kind get clusters", "kind create cluster"],
  },
});
