import { effect, type Family } from "../../effect.ts";
import { program } from "../../program.ts";

const ALL_RIGHTS = /cap_(?:setuid|setgid|sys_admin|sys_ptrace|dac_override|chown|fowner)\b|^(?:all)?[=+]e?p$/;
const WHY = "lets every user of the program do what only root may do";

const grantedCapabilities: Family = (command) =>
  command.args.some((arg) => ALL_RIGHTS.test(arg ?? ""))
    ? [effect("permission-blast", command, WHY, { target: command.args.at(-1) ?? "" })]
    : [];

export default program({
  names: ["setcap"],
  kind: "permission-blast",
  also: grantedCapabilities,
  examples: {
    hit: ["setcap cap_setuid+ep /usr/bin/python3"],
    pass: ["setcap cap_net_bind_service+ep ./server"],
  },
});
