import { program } from "../../program.ts";

export default program({
  names: ["gio"],
  kind: "delete-tree",
  rules: [["trash", "empties the trash", { needs: "empty" }]],
  examples: {
    hit: ["gio trash --empty"],
    pass: ["gio trash"],
  },
});
