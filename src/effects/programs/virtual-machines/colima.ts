import { program } from "../../program.ts";

export default program({
  names: ["colima", "orb", "orbctl"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["delete|rm|reset", "deletes the machine {}"]],
  examples: {
    hit: ["colima delete -f"],
    pass: ["colima stop"],
  },
});
