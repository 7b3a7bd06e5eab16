import { program } from "../../program.ts";

export default program({
  names: ["stratis"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["pool|filesystem|fs destroy", "destroys {}"]],
  examples: {
    hit: ["stratis pool destroy web"],
    pass: ["stratis pool create data /dev/sdb"],
  },
});
