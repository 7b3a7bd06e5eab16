import { program } from "../../program.ts";
import { systemctlCommands } from "./services.ts";

export default program({
  names: ["systemctl"],
  kind: "kill-everything",
  exempt: "their words are processes, services, accounts and files",
  also: systemctlCommands,
  examples: {
    hit: ["systemctl stop '*'", "systemctl disable --now '*.service'"],
    pass: ["systemctl list-units", "systemctl status '*'"],
  },
});
