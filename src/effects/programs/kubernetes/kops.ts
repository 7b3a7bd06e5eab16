import { program } from "../../program.ts";

export default program({
  names: ["kops"],
  kind: "destroy-infrastructure",
  service: true,
  values: "name state",
  rules: [["delete cluster|ig|instance", "deletes {}", { needs: "yes y" }]],
  examples: {
    hit: ["kops delete cluster --name c --yes"],
    pass: ["kops delete cluster --name c"],
  },
});
