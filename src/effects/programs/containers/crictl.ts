import { program } from "../../program.ts";

export default program({
  names: ["crictl"],
  kind: "destroy-container-data",
  service: true,
  rules: [["rm|rmp", "removes containers", { needs: "a all f force" }]],
  examples: {
    hit: ["crictl rm -fa"],
    pass: ["crictl ps"],
  },
});
