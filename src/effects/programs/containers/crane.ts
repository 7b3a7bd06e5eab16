import { program } from "../../program.ts";

export default program({
  names: ["crane", "regctl", "oras"],
  kind: "publish",
  dry: "dry-run",
  rules: [
    ["push|copy|cp", "pushes an image to a registry"],
    ["image copy", "pushes an image to a registry"],
    ["delete|tag delete", "deletes an image", { kind: "destroy-infrastructure" }],
  ],
  examples: {
    hit: ["crane push", "crane image copy", "crane delete delete"],
    pass: ["crane push --dry-run"],
  },
});
