import { program } from "../../program.ts";

export default program({
  names: ["mysql", "mariadb", "mycli"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: {
    dialect: { backslash: true, hash: true, meta: "\\", schemaCommits: true },
    short: "ABbCD:e:EfGHh:iI#:LlnNoOP:p::qrR:S:sStT::u:UvVwWX",
    long: "execute: user: host: port: database: socket: password:: protocol: default-character-set: defaults-file: defaults-extra-file: init-command: batch silent raw force verbose skip-column-names table vertical ssl-mode: ssl-ca: delimiter: comments",
    text: "e execute init-command",
  },
  exceptNew: true,
  examples: {
    hit: ["mysql -e 'DROP TABLE orders'"],
    pass: ["mysql -e 'SELECT 1'"],
  },
});
