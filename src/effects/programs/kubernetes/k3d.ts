import { program } from "../../program.ts";

export default program({
  names: ["k3d"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["cluster|node|registry delete|del|rm", "deletes {}"]],
  examples: {
    hit: ["k3d cluster delete dev"],
    pass: ["k3d cluster list"],
  },
});
