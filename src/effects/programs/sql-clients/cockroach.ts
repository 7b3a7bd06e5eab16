import { program } from "../../program.ts";

export default program({
  names: ["cockroach"],
  kind: "destroy-database",
  service: true,
  rules: [["node decommission", "removes nodes from the cluster"]],
  client: {
    dialect: { meta: "\\" },
    short: "e:d:u:f:",
    long: "execute: database: user: file: url: host: insecure certs-dir:",
    text: "e execute",
    files: "f file",
  },
  exceptNew: true,
  examples: {
    hit: ["cockroach node decommission", "cockroach -e 'DROP TABLE orders'"],
    pass: ["cockroach -e 'SELECT 1'"],
  },
});
