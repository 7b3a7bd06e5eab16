import { program } from "../../program.ts";

export default program({
  names: ["blkzone"],
  kind: "format-device",
  service: true,
  rules: [["reset", "empties zones of the device"]],
  examples: {
    hit: ["blkzone reset"],
    pass: ["blkzone report /dev/sdb"],
  },
});
