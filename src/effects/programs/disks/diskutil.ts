import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["diskutil"],
  kind: "format-device",
  rules: [
    onDevice(
      "** eraseDisk|eraseVolume|reformat|partitionDisk|secureErase|zeroDisk|randomDisk|deleteVolume|deleteContainer|eraseall|erasedisk|erasevolume|partitiondisk|zerodisk|randomdisk|deletevolume|deletecontainer|eraseAll",
    ),
  ],
  examples: {
    hit: ["diskutil eraseDisk /dev/sdb"],
    pass: ["diskutil list"],
  },
});
