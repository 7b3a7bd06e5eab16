import { program } from "../../program.ts";

export default program({
  names: ["cf"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["delete|delete-org|delete-space|delete-service|delete-orphaned-routes", "deletes {}"]],
  examples: {
    hit: ["cf delete web"],
    pass: ["cf push"],
  },
});
