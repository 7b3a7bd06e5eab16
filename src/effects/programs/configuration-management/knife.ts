import { program } from "../../program.ts";

export default program({
  names: ["knife"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["* delete|destroy", "deletes {}"],
    ["* bulk delete", "deletes {}"],
    ["* server delete", "deletes {}"],
  ],
  shell: [{ after: "** ssh *", remote: true }],
  examples: {
    hit: [
      "knife web delete web",
      "knife web bulk delete web",
      "knife web server delete web",
      "knife ssh web 'rm -rf /srv/data'",
    ],
    pass: ["knife ssh 'role:web' uptime"],
  },
});
