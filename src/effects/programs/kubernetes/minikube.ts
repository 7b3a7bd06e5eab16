import { program } from "../../program.ts";

export default program({
  names: ["minikube"],
  kind: "destroy-infrastructure",
  service: true,
  values: "p profile",
  rules: [["delete", "deletes the local cluster"]],
  examples: {
    hit: ["minikube delete --all --purge"],
    pass: ["minikube stop", "minikube status"],
  },
});
