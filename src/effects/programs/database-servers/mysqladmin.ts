import { program } from "../../program.ts";

export default program({
  names: ["mysqladmin", "mariadb-admin"],
  kind: "destroy-database",
  service: true,
  options: {
    short: "ABbCD:e:EfGHh:iI#:LlnNoOP:p::qrR:S:sStT::u:UvVwWX",
    long: "execute: user: host: port: database: socket: password:: protocol: default-character-set: defaults-file: defaults-extra-file: init-command: batch silent raw force verbose skip-column-names table vertical ssl-mode: ssl-ca: delimiter: comments",
  },
  rules: [
    ["** shutdown", "shuts the database server down", { kind: "destroy-infrastructure" }],
    ["** drop", "drops the database {}", { instead: "run it against a copy, or take a backup first" }],
  ],
  exceptNew: true,
  examples: {
    hit: ["mysqladmin -u root -p drop shop", "mysqladmin -f drop shop", "mysqladmin shutdown"],
    pass: ["mysqladmin status", "mysqladmin create shop"],
  },
});
