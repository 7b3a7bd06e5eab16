import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["debugfs"],
  kind: "format-device",
  rules: [["** rmdir*"], onDevice("** rm*|kill_file*|unlink*|clri*|freei*|zap_block*|punch*")],
  examples: {
    hit: ["debugfs rmx /dev/sdb"],
    pass: ["debugfs rmdirx"],
  },
});
