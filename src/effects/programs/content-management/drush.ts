import { program } from "../../program.ts";

export default program({
  names: ["drush"],
  kind: "destroy-database",
  service: true,
  values: "uri l root r database target",
  rules: [
    ["** sql-drop|sql:drop", "drops the tables of the site"],
    ["** site-install|site:install|si", "drops the tables and reinstalls", { needs: "y yes" }],
    ["** entity:delete|edel", "deletes {}"],
    ["** sql-sync|sql:sync", "replaces the database {}", { needs: "y yes" }],
  ],
  sql: [{ after: "** sqlq|sql-query|sql:query", stdin: true }],
  script: [{ after: "** php-eval|php:eval|ev|eval", language: "php" }],
  examples: {
    hit: [
      "drush sql-drop",
      "drush site-install -y",
      "drush entity:delete web",
      "drush sql-sync web -y",
      "drush sqlq 'DROP TABLE orders'",
      "drush php-eval 'system(\"rm -rf /srv/data\");'",
    ],
    pass: ["drush site-install"],
  },
});
