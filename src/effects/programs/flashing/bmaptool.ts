import { program } from "../../program.ts";

export default program({
  names: ["bmaptool"],
  kind: "format-device",
  service: true,
  rules: [["copy", "writes over a disk"]],
  examples: {
    hit: ["bmaptool copy"],
    pass: ["bmaptool list"],
  },
});
