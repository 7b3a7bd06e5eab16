import { program } from "../../program.ts";

export default program({
  names: ["psql", "usql", "ysqlsh"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: {
    dialect: { meta: "\\" },
    short: "aAbc:d:eEf:F:h:HlL:nNo:p:P:qR:sStT:U:v:VwWxXzZ0129?",
    long: "command: dbname: file: host: port: username: set: variable: output: log-file: pset: field-separator: record-separator: table-attr: no-psqlrc quiet tuples-only no-align single-transaction no-password password echo-all csv html expanded list",
    text: "c command",
    files: "f file",
  },
  exceptNew: true,
  examples: {
    hit: ["psql -c 'DROP TABLE orders'"],
    pass: ["psql -c 'SELECT 1'"],
  },
});
