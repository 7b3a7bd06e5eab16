import { program } from "../../program.ts";

export default program({
  names: ["influx"],
  kind: "destroy-database",
  service: true,
  values: "n name o org t token host bucket b start stop i id",
  rules: [
    ["bucket|org|user delete", "deletes {}"],
    ["delete", "deletes the points of a bucket"],
    ["restore", "replaces all stored data with a backup", { needs: "full" }],
  ],
  client: { dialect: {}, text: "execute", singleDash: true },
  examples: {
    hit: [
      "influx bucket delete -n metrics -o org",
      "influx restore --full backup/",
      "influx delete",
      "influx -execute 'DROP TABLE orders'",
    ],
    pass: [
      "influx -execute 'SHOW DATABASES'",
      "influx bucket list",
      "influx restore backup/",
      "influx -execute 'SELECT 1'",
    ],
  },
});
