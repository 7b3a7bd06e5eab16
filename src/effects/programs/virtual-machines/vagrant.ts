import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["vagrant"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["destroy", "destroys the machine {}"],
    ["box remove"],
    ["cloud publish", PACKAGE, { kind: "publish", unless: "dry-run" }],
  ],
  shell: [{ after: "ssh", option: "c command" }],
  examples: {
    hit: ["vagrant destroy -f", "vagrant cloud publish", "vagrant ssh -c 'rm -rf /srv/data'"],
    pass: ["vagrant halt", "vagrant status", "vagrant box remove"],
  },
});
