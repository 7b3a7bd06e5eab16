import { program } from "../../program.ts";

export default program({
  names: ["limactl"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["factory-reset", "deletes {}"],
    ["disk delete|rm", "deletes {}"],
    ["delete|rm|reset", "deletes the machine {}"],
  ],
  examples: {
    hit: ["limactl factory-reset web", "limactl disk delete web", "limactl delete web"],
    pass: ["limactl stop default"],
  },
});
