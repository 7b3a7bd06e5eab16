import { program } from "../../program.ts";

export default program({
  names: ["bw"],
  kind: "delete-tree",
  values: "session organizationid",
  rules: [["delete", "deletes {} for good", { needs: "permanent p" }]],
  examples: {
    hit: ["bw delete web --permanent"],
    pass: ["bw delete web"],
  },
});
