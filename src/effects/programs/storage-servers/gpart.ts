import { program } from "../../program.ts";

export default program({
  names: ["gpart"],
  kind: "format-device",
  service: true,
  rules: [["destroy|delete", "removes partitions of {}"]],
  examples: {
    hit: ["gpart destroy web"],
    pass: ["gpart show"],
  },
});
