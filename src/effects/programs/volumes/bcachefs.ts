import { program } from "../../program.ts";

export default program({
  names: ["bcachefs"],
  kind: "format-device",
  service: true,
  rules: [["format", "formats {}"]],
  examples: {
    hit: ["bcachefs format web"],
    pass: ["bcachefs fsck -n /dev/sdb"],
  },
});
