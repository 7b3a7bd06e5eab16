import { program } from "../../program.ts";

export default program({
  names: ["fab"],
  kind: "destroy-infrastructure",
  exempt: "they take options and files, no subcommands",
  values: "H hosts u user i",
  shell: [{ behindDashes: true, remote: true }],
  examples: {
    hit: ["fab -- rm -rf /srv/data"],
    pass: ["fab -H web -- uptime"],
  },
});
