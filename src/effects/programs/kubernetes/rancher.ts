import { program } from "../../program.ts";

export default program({
  names: ["rancher"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["** delete|rm|remove", "deletes {}"]],
  examples: {
    hit: ["rancher delete web"],
    pass: ["rancher clusters ls"],
  },
});
