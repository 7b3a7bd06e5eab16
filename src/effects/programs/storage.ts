import type { Family } from "../effect.ts";
import { named, type Rule, type Tool, toolFamily } from "../tool.ts";

const wipes = (rules: readonly Rule[], more: Partial<Tool> = {}): Family =>
  toolFamily({ kind: "format-device", rules, ...more });
const backups = (rules: readonly Rule[], more: Partial<Tool> = {}): Family =>
  toolFamily({ kind: "destroy-infrastructure", rules, ...more });

const ERASES = "erases the chip's memory";

/** Chips and phones: what is erased there was often never anywhere else. */
const FLASH: Readonly<Record<string, Family>> = {
  ...named(
    "esptool esptool.py esptool.exe",
    wipes([["erase_flash|erase-flash|erase_region|erase-region", ERASES]], {
      values: "p port b baud c chip before after",
    }),
  ),
  "st-flash": wipes([["** erase", ERASES]]),
  stm32flash: wipes([["**", ERASES, { needs: "o" }]]),
  nrfjprog: wipes([["**", ERASES, { needs: "eraseall recover e" }]], { values: "f s" }),
  pyocd: wipes([["erase", ERASES]]),
  avrdude: wipes([["**", ERASES, { needs: "e" }]], { values: "c p P b B U C E x", dry: "n" }),
  fastboot: wipes(
    [
      ["erase", "erases the partition {}"],
      ["format|format:*", "formats the partition {}"],
      ["flashing|oem lock|unlock|lock_critical|unlock_critical", "wipes the phone"],
      ["**", "wipes the phone", { needs: "w" }],
    ],
    { values: "s" },
  ),
  adb: wipes(
    [
      ["uninstall", "removes the app {} with its data", { unless: "k" }],
      ["shell wipe", "wipes the phone"],
    ],
    {
      values: "s t",
    },
  ),
  ...named("flash_erase flash_eraseall flashcp ubiformat flash_unlock", wipes([["*", "erases the flash device {}"]])),
  bmaptool: wipes([["copy", "writes over a disk"]]),
  ...named("ventoy Ventoy2Disk.sh", wipes([["**", "writes over a disk", { needs: "i I" }]])),
  "rpi-imager": wipes([["**", "writes over a disk", { needs: "cli" }]]),
  balena: wipes([["local flash", "writes over a disk"]]),
  mtd: wipes([["erase|write", "erases the flash device {}"]]),
};

/** Layers under a file system, and the servers that hold disks. */
const VOLUMES: Readonly<Record<string, Family>> = {
  zfs: wipes([["receive|recv", "rolls {} back to receive the stream", { needs: "F" }]], { values: "o x", dry: "n" }),
  zpool: wipes([["create|add|replace|attach", "uses disks by force although they may hold data: {}", { needs: "f" }]], {
    values: "o O m R t",
    dry: "n",
  }),
  dmsetup: wipes([["remove|remove_all|wipe_table|clear", "removes the mapped device {}"]]),
  lvreduce: wipes([["*", "shrinks {}, which deletes the data at its end"]], {
    values: "L size l extents",
    dry: "test t resizefs r",
  }),
  vgcfgrestore: wipes([["*", "replaces the volume table of {}"]], { values: "f file", dry: "test t list l" }),
  vgreduce: wipes([["*", "drops missing disks from {}", { needs: "removemissing" }]], { dry: "test t" }),
  lvconvert: wipes([["*", "rolls the volume back to {}", { needs: "merge mergesnapshot" }]], { dry: "test t" }),
  gpart: wipes([["destroy|delete", "removes partitions of {}"]]),
  nwipe: wipes([["**", "wipes disks", { needs: "autonuke nowait" }]]),
  scrub: wipes([["*", "wipes {}"]], { values: "p pattern s device-size" }),
  sg_format: wipes([["**", "formats {}", { needs: "format F" }]]),
  sg_sanitize: wipes([["*", "erases {}"]], { values: "pattern", dry: "dry-run d" }),
  blkzone: wipes([["reset", "empties zones of the device"]]),
  bcachefs: wipes([["format", "formats {}"]]),
  "ceph-volume": wipes([["** zap", "wipes {}"]]),
  stratis: backups([["pool|filesystem|fs destroy", "destroys {}"]]),
  vdo: backups([["remove", "removes the volume"]]),
  rbd: backups([
    ["rm|remove|rollback", "removes the image {}"],
    ["snap|trash|group|image-meta rm|remove|purge|rollback", "removes {}"],
  ]),
  rados: backups([["rmpool|purge|rm|cleanup", "removes {}"]], { values: "p pool n name" }),
  ceph: backups([
    ["osd pool delete|rm", "deletes the pool {}"],
    ["osd purge|destroy|rm|lost", "removes the disk {}"],
    ["fs|orch rm|rm-cluster", "removes {}"],
    ["fs volume|subvolume rm", "removes {}"],
  ]),
  gluster: backups([
    ["volume|snapshot delete|reset", "deletes {}"],
    ["volume remove-brick", "removes a brick of {}"],
  ]),
  drbdadm: wipes([["wipe-md|create-md|invalidate", "wipes the resource {}"]]),
  ...named(
    "storcli storcli64 perccli perccli64 ssacli hpssacli",
    wipes([["** del|delete|erase", "removes a disk array"]]),
  ),
  ...named("megacli MegaCli MegaCli64", wipes([["**", "removes a disk array", { needs: "CfgLdDel CfgClr LDInit" }]])),
  iscsiadm: backups([["**", "removes a target", { needs: "op=delete o=delete" }]], { values: "m mode o op T p" }),
  "qemu-img": backups([["snapshot", "deletes a snapshot", { needs: "d" }]]),
  snapper: backups(
    [
      ["delete|rm|remove", "deletes the snapshots {}"],
      ["delete-config", "removes the configuration and its snapshots"],
      ["rollback|undochange", "replaces the current files with older ones"],
    ],
    { values: "c config" },
  ),
  timeshift: backups([["**", "deletes or restores snapshots", { needs: "delete delete-all restore" }]]),
};

/** Backups are what is left when all else is gone. */
const BACKUPS: Readonly<Record<string, Family>> = {
  restic: backups(
    [
      ["forget", "deletes backups", { needs: "prune" }],
      ["forget *", "deletes the backup {}"],
      ["key remove", "removes a key of the repository"],
    ],
    {
      values:
        "r repo p password-file keep-last keep-hourly keep-daily keep-weekly keep-monthly keep-yearly keep-within keep-tag host tag path group-by c g",
      dry: "dry-run n",
    },
  ),
  ...named(
    "borg borg1 borg2",
    backups(
      [
        ["delete|repo-delete|prune", "deletes backups in {}"],
        ["recreate", "rewrites backups in {}"],
      ],
      {
        values:
          "e exclude P prefix a glob-archives keep-within keep-last keep-secondly keep-minutely H keep-hourly d keep-daily w keep-weekly m keep-monthly y keep-yearly r repo",
        dry: "dry-run n",
      },
    ),
  ),
  kopia: backups([["snapshot|snap|repository|policy delete|remove|rm", "deletes {}", { needs: "delete" }]]),
  duplicity: backups(
    [["remove-older-than|remove-all-but-n-full|remove-all-inc-of-but-n-full", "deletes backups", { needs: "force" }]],
    { dry: "dry-run" },
  ),
  "rdiff-backup": backups([
    ["**", "deletes backups", { needs: "remove-older-than" }],
    ["remove increments", "deletes backups"],
  ]),
  bup: backups([["rm|prune-older", "deletes backups of {}"], ["gc"]], { dry: "n dry-run" }),
  duplicacy: backups([["prune", "deletes backups", { needs: "exclusive exhaustive a all" }]], { dry: "dry-run d" }),
  pgbackrest: backups([["stanza-delete", "deletes every backup of the stanza"]], { values: "stanza config repo" }),
  "wal-g": backups([["delete", "deletes backups", { needs: "confirm" }]]),
  barman: backups([["delete", "deletes the backup {}"]]),
  wbadmin: backups([["delete", "deletes backups of the system"]]),
};

/** Whole machines. */
const MACHINES: Readonly<Record<string, Family>> = {
  virsh: backups(
    [
      ["vol-delete|vol-wipe|pool-delete|snapshot-delete|snapshot-revert|checkpoint-delete", "removes {}"],
      ["destroy", "powers {} off without a shutdown"],
    ],
    { values: "c connect pool" },
  ),
  VBoxManage: backups([
    ["closemedium", "deletes the disk {}", { needs: "delete" }],
    ["snapshot * delete|restore|restorecurrent", "removes a saved state of the machine"],
    ["mediumio", "formats a disk", { needs: "formatfat" }],
  ]),
  "lxc-destroy": backups([["**", "destroys a container with its data"]], { values: "n name P lxcpath" }),
  pvesm: backups([["free|remove", "removes the volume {}"]]),
  pveceph: backups([
    ["pool|osd|fs destroy", "destroys {}"],
    ["purge", "removes the storage cluster"],
  ]),
  ...named(
    "qm pct",
    backups([
      ["rollback|delsnapshot", "removes a saved state of {}"],
      ["disk unlink", "removes a disk of {}", { needs: "force" }],
    ]),
  ),
  govc: backups([
    [
      "vm.destroy|datastore.rm|snapshot.remove|pool.destroy|cluster.rm|object.destroy|folder.destroy|host.remove",
      "destroys {}",
    ],
  ]),
  xe: backups([
    [
      "vm-uninstall|vm-destroy|vdi-destroy|sr-destroy|sr-forget|snapshot-uninstall|snapshot-destroy|pool-eject|host-forget",
      "destroys {}",
    ],
  ]),
  machinectl: backups([
    ["remove", "removes the machine {}"],
    ["clean", "removes every image", { needs: "all" }],
  ]),
  prlctl: backups([["delete|snapshot-delete", "deletes {}"]]),
  vmrun: backups([["deleteVM|deleteSnapshot|revertToSnapshot", "deletes {}"]], { values: "T gu gp" }),
  utmctl: backups([["delete", "deletes {}"]]),
  limactl: backups([
    ["factory-reset", "deletes {}"],
    ["disk delete|rm", "deletes {}"],
  ]),
  vboxmanage: backups([["unregistervm", "deletes the machine {}", { needs: "delete delete-all" }]]),
  ...named("wsl wsl.exe", backups([["**", "removes the whole Linux system", { needs: "unregister" }]])),
  ...named("distrobox toolbox", backups([["rm", "removes {}", { needs: "f force a all" }]])),
};

export const STORAGE: Readonly<Record<string, Family>> = { ...FLASH, ...VOLUMES, ...BACKUPS, ...MACHINES };
