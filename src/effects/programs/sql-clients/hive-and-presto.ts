import { program } from "../../program.ts";

export default program({
  names: ["hive", "beeline", "trino", "presto", "spark-sql", "impala-shell"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: {
    dialect: {},
    short: "e:f:u:n:p:q:i:",
    long: "execute: query: file: server: catalog:",
    text: "e q execute query",
    files: "f file",
  },
  exceptNew: true,
  examples: {
    hit: ["hive -e 'DROP TABLE orders'"],
    pass: ["hive -e 'SELECT 1'"],
  },
});
