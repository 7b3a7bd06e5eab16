import type { Command } from "../../shell/command.ts";
import { type Effect, effect, type Family } from "../effect.ts";
import { isRawDevice } from "../line/devices.ts";
import { operandsOf } from "../line/words.ts";

/** Programs that write below a file system, and the words without which they only look. */
interface Tool {
  /** One of these words must be there; any use counts when there are none. */
  readonly when?: RegExp;
  /** With one of these nothing is written. */
  readonly unless?: RegExp;
}

const TOOLS: Readonly<Record<string, Tool>> = {
  mkfs: { unless: /^-(?:V|n)$/ },
  mke2fs: { unless: /^-n$/ },
  mkswap: {},
  mkdosfs: {},
  mkntfs: { unless: /^-n$/ },
  mkexfatfs: {},
  mkfatfs: {},
  newfs_msdos: {},
  newfs: { unless: /^-N$/ },
  wipefs: { when: /^-\w*[ao]|^--all$|^--offset/, unless: /^-\w*n\w*$|^--no-act$/ },
  blkdiscard: {},
  fdisk: { unless: /^-\w*l|^--list$|^-s$/ },
  cfdisk: {},
  sfdisk: { unless: /^-[ldJ]$|^--(?:list|dump|json|verify|no-act)$|^-n$/ },
  gdisk: { unless: /^-l$/ },
  sgdisk: {
    when: /^-[ZzdongGtR]|^--(?:zap|zap-all|clear|delete|new|load-backup|typecode)/,
    unless: /^-P$|^--pretend$/,
  },
  parted: { when: /^(?:mklabel|mktable|mkpart|rm|resizepart|rescue)$/ },
  debugfs: { when: /^(?:rm|kill_file|unlink|clri|freei|zap_block|punch)\b/ },
  hdparm: { when: /^--(?:security-erase|security-erase-enhanced|trim-sector-ranges|make-bad-sector|write-sector)/ },
  nvme: { when: /^(?:format|sanitize|write-zeroes|dsm)$/ },
  cryptsetup: { when: /^(?:luksFormat|luksErase|erase|luksKillSlot|luksRemoveKey|reencrypt)$/ },
  lvremove: { unless: /^-\w*t\w*$|^--test$/ },
  vgremove: { unless: /^-\w*t\w*$|^--test$/ },
  pvremove: { unless: /^-\w*t\w*$|^--test$/ },
  mdadm: { when: /^--(?:zero-superblock|create|stop)$/ },
  zpool: { when: /^(?:destroy|labelclear)$/ },
  zfs: { when: /^(?:destroy|rollback)$/, unless: /^-\w*n\w*$/ },
  btrfs: { when: /^(?:delete|del|--repair)$/ },
  xfs_repair: { when: /^-\w*L/ },
  pvcreate: { when: /^-\w*ff|^--force$/, unless: /^-\w*t\w*$|^--test$/ },
  lvresize: { when: /^-L?-\d|^-\d+[kmgtpe%]|^--size=-/i, unless: /^-\w*t\w*$|^--test$/ },
  asr: { when: /^--?erase$/ },
  badblocks: { when: /^-\w*w/ },
  diskutil: {
    when: /^(?:eraseDisk|eraseVolume|reformat|partitionDisk|secureErase|zeroDisk|randomDisk|deleteVolume|deleteContainer|eraseall)$/i,
  },
  tmutil: { when: /^(?:delete|deletelocalsnapshots)$/ },
};

export const DISKS: Readonly<Record<string, Family>> = Object.fromEntries([
  ...Object.keys(TOOLS).map((name): [string, Family] => [name, (command) => formatted(command, TOOLS[name] ?? {})]),
  ...["ext2", "ext3", "ext4", "xfs", "btrfs", "vfat", "fat", "ntfs", "exfat", "f2fs", "minix", "bfs", "cramfs"].map(
    (type): [string, Family] => [`mkfs.${type}`, (command) => formatted(command, { unless: /^-(?:V|n|N)$/ })],
  ),
]);

function formatted(command: Command, { when, unless }: Tool): readonly Effect[] {
  const { args } = command;
  if (unless && args.some((arg) => unless.test(arg ?? ""))) return [];
  if (when && !args.some((arg) => when.test(arg ?? ""))) return [];
  const operands = operandsOf(command).map((word) => word.text);
  const target = operands.find(isRawDevice) ?? operands.find((text) => text.startsWith("/")) ?? operands.at(-1);
  if (target === undefined) return [];
  // A file that holds a file system is a file.
  if (/^mk|^newfs/.test(command.program ?? "") && !target.startsWith("/dev/") && !target.startsWith("$")) return [];
  return [
    effect("format-device", command, `destroys what is on ${target}`, {
      target,
      instead: "tell the person which device it is and let them do it",
    }),
  ];
}
