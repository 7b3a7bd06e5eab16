import { program } from "../../program.ts";

export default program({
  names: ["mokutil"],
  kind: "delete-tree",
  rules: [["**", "deletes the keys for secure boot", { needs: "reset", target: "last" }]],
  examples: {
    hit: ["mokutil --reset"],
    pass: ["mokutil --sb-state"],
  },
});
