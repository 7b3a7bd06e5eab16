import { program } from "../../program.ts";

export default program({
  names: ["vmrun"],
  kind: "destroy-infrastructure",
  service: true,
  values: "T gu gp",
  rules: [["deleteVM|deleteSnapshot|revertToSnapshot", "deletes {}"]],
  examples: {
    hit: ["vmrun deleteVM web"],
    pass: ["vmrun list"],
  },
});
