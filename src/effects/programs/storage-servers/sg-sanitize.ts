import { program } from "../../program.ts";

export default program({
  names: ["sg_sanitize"],
  kind: "format-device",
  service: true,
  values: "pattern",
  dry: "dry-run d",
  rules: [["*", "erases {}"]],
  examples: {
    hit: ["sg_sanitize web web"],
    pass: ["sg_sanitize web web --dry-run"],
  },
});
