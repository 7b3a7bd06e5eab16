import { program } from "../../program.ts";

export default program({
  names: ["setenforce"],
  kind: "permission-blast",
  rules: [["** 0|permissive|Permissive|PERMISSIVE", "switches off the access control of SELinux", { target: "last" }]],
  examples: {
    hit: ["setenforce 0"],
    pass: ["setenforce 1"],
  },
});
