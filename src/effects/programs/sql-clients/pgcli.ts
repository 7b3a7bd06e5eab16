import { program } from "../../program.ts";

export default program({
  names: ["pgcli"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: {
    dialect: { meta: "\\" },
    short: "aAbc:d:eEf:F:h:HlL:nNo:p:P:qR:sStT:U:v:VwWxXzZ0129?",
    long: "command: dbname: file: host: port: username: set: variable: output: log-file: pset: field-separator: record-separator: table-attr: no-psqlrc quiet tuples-only no-align single-transaction no-password password echo-all csv html expanded list",
    text: "c command e execute",
    files: "f file",
  },
  exceptNew: true,
  examples: {
    hit: ["pgcli -c 'DROP TABLE orders'"],
    pass: ["pgcli -c 'SELECT 1'"],
  },
});
