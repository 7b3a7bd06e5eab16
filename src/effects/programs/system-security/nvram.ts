import { program } from "../../program.ts";

export default program({
  names: ["nvram"],
  kind: "delete-tree",
  rules: [["**", "clears the firmware's settings", { needs: "c", target: "last" }]],
  examples: {
    hit: ["nvram -c"],
    pass: ["nvram -p"],
  },
});
