import { program } from "../../program.ts";
import { powerOff } from "./power-off.ts";

export default program({
  names: ["shutdown", "reboot", "poweroff", "halt", "kexec", "init", "telinit", "dbus-send", "busctl", "gdbus"],
  kind: "kill-everything",
  exempt: "their words are processes, services, accounts and files",
  also: powerOff,
  examples: {
    hit: ["shutdown -h now", "reboot", "init 0"],
    pass: ["shutdown -c", "init 3"],
  },
});
