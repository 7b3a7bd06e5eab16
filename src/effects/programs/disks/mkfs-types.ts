import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: [
    "mkfs.ext2",
    "mkfs.ext3",
    "mkfs.ext4",
    "mkfs.xfs",
    "mkfs.btrfs",
    "mkfs.vfat",
    "mkfs.fat",
    "mkfs.ntfs",
    "mkfs.exfat",
    "mkfs.f2fs",
    "mkfs.minix",
    "mkfs.bfs",
    "mkfs.cramfs",
  ],
  kind: "format-device",
  rules: [onDevice("**", { target: "device-path", unless: "V n N" })],
  examples: {
    hit: ["mkfs.ext2 /dev/sdb"],
    pass: ["mkfs.ext2 /dev/sdb -V"],
  },
});
