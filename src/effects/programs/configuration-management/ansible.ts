import { program } from "../../program.ts";
import { ansibleModules } from "./ansible-modules.ts";

export default program({
  names: ["ansible"],
  kind: "delete-tree",
  service: true,
  also: ansibleModules,
  examples: {
    hit: ["ansible all -m shell -a 'dropdb app'", "ansible all -a 'dropdb app'"],
    pass: ["ansible all -m ping", "ansible all -m shell -a 'uptime'"],
  },
});
