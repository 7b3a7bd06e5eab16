import { program } from "../../program.ts";

export default program({
  names: ["clickhouse", "clickhouse-client"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: {
    dialect: { backslash: true },
    short: "q:h:u:d:mnC:",
    long: "query: queries-file: host: port: user: password: database: format: multiquery multiline secure",
    text: "q query",
    files: "queries-file",
    from: 0,
  },
  exceptNew: true,
  examples: {
    hit: ["clickhouse 'DROP TABLE orders'"],
    pass: ["clickhouse 'SELECT 1'"],
  },
});
