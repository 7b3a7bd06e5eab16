import type { Command } from "../../shell/command.ts";
import { type Effect, effect, type Family, pathsOf, type Scene, SETTLED } from "../effect.ts";
import { inputText } from "../line/line-text.ts";
import { has, named, type Rule, readLoosely, type Tool, toolFamily, valuesOf } from "../tool.ts";

const removes = (rules: readonly Rule[], more: Partial<Tool> = {}): Family =>
  toolFamily({ kind: "delete-tree", rules, ...more });

/** Options with a single dash and a whole word, as the older tools of the Mac take them. */
const told = (verbs: RegExp, why: string, kind: "delete-tree" | "permission-blast" = "delete-tree"): Family => {
  return (command) =>
    command.args.some((arg) => verbs.test(arg ?? ""))
      ? [effect(kind, command, why, { target: command.args.at(-1) ?? "" })]
      : [];
};

/** With one of these, ssh-keygen does something else than making a key. */
const NO_NEW_KEY = "l y p R F H e i B D K s Y L Q c k A M r";

/** ssh-keygen asks before it replaces a key. An answer that is given beforehand says that there is one. */
function replacedKey(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(command.argv.slice(1), "f t b C N m O a Z I n V P r s D w g F R Y");
  const isAnswered =
    /^y/i.test(inputText(command, scene)?.trim() ?? "") ||
    command.upstream.some(({ program, args: [word = "y"] }) => program === "yes" && /^y/i.test(word));
  if (!isAnswered || has(reading, NO_NEW_KEY)) return SETTLED;
  return valuesOf(reading, "f").flatMap((word) =>
    pathsOf(word, command, scene).map((spot) =>
      effect("overwrite", command, `replaces the key ${spot.target}`, {
        ...spot,
        instead: "give the new key another name",
      }),
    ),
  );
}

/** Accounts, keys, apps with their data, and what keeps others out. */
export const ACCOUNTS: Readonly<Record<string, Family>> = {
  dscl: told(/^-?delete$/, "removes an entry of the directory, which may be an account"),
  dseditgroup: told(/^delete$/, "removes a group"),
  sysadminctl: told(/^-deleteUser$/, "removes an account"),
  security: removes(
    [
      [
        "delete-keychain|delete-generic-password|delete-internet-password|delete-identity|delete-certificate",
        "deletes {}",
      ],
    ],
    { values: "a s l c Z" },
  ),
  keytool: told(/^-delete$/, "removes a key"),
  gpg: told(/^--delete-(?:secret|secret-and-public)-keys?$/, "deletes a secret key"),
  gpg2: told(/^--delete-(?:secret|secret-and-public)-keys?$/, "deletes a secret key"),
  pass: removes([["rm|remove|delete", "deletes the password {}", { needs: "f force r recursive rf" }]]),
  op: removes(
    [["item|document|vault|user|group|connect|service-account delete|remove|rm", "deletes {}", { unless: "archive" }]],
    { values: "vault account session" },
  ),
  bw: removes([["delete", "deletes {} for good", { needs: "permanent p" }]], { values: "session organizationid" }),
  "ssh-keygen": replacedKey,
  certbot: removes([["delete|revoke", "deletes or revokes the certificate {}", { unless: "dry-run" }]], {
    values: "cert-name cert-path d domain domains reason",
  }),
  ykman: removes([["* reset", "wipes the key"]]),
  tpm2_clear: removes([["**", "wipes the keys of this machine"]]),
  mokutil: told(/^--reset$/, "deletes the keys for secure boot"),
  nvram: told(/^-c$/, "clears the firmware's settings"),
  flatpak: removes([["uninstall|remove", "removes {} with its data", { needs: "delete-data" }]]),
  snap: removes([["remove", "removes {} with its data", { needs: "purge" }]]),
  brew: removes([["uninstall|remove|rm", "removes {} with its settings and data", { needs: "zap" }]]),
  setcap: told(
    /cap_(?:setuid|setgid|sys_admin|sys_ptrace|dac_override|chown|fowner)\b|^(?:all)?[=+]e?p$/,
    "lets every user of the program do what only root may do",
    "permission-blast",
  ),
  ipset: removes([["destroy|flush", "deletes the address sets of the firewall", { kind: "permission-blast" }]]),
  pfctl: told(/^-(?:d|F)$/, "deletes firewall rules", "permission-blast"),
  "firewall-cmd": told(
    /^--(?:panic-on|remove-service=ssh|complete-reload)$/,
    "changes the firewall rules for connections",
    "permission-blast",
  ),
  nft: removes([["delete table|chain|ruleset", "deletes firewall rules", { kind: "permission-blast" }]]),
  setenforce: told(/^(?:0|permissive)$/i, "switches off the access control of SELinux", "permission-blast"),
  csrutil: told(/^disable$/, "switches off system integrity protection", "permission-blast"),
  spctl: told(/^--(?:master|global)-disable$/, "switches off the check for unsigned programs", "permission-blast"),
  auditctl: told(/^-D$/, "deletes the audit rules", "permission-blast"),
  gio: removes([["trash", "empties the trash", { needs: "empty" }]]),
  fuser: (command) =>
    command.args.some((arg) => /^-\w*k|^--kill$/.test(arg ?? "")) &&
    command.args.some((arg) => /^-\w*[mM]|^--mount$|^\/(?:\w+\/?)?$/.test(arg ?? ""))
      ? [effect("kill-everything", command, "ends every process that uses a file system")]
      : [],
  ...named("usermod chage", told(/^root$/, "changes who may log in as root", "permission-blast")),
  atrm: removes([["*", "removes the scheduled jobs {}", { kind: "schedule-loss" }]]),
  launchctl: removes([["bootout|remove", "removes the service {}", { kind: "schedule-loss", named: true }]]),
  ...named("efibootmgr", told(/^-B$|^--delete-bootnum$/, "removes a boot entry of the machine")),
};
