import { program } from "../../program.ts";

export default program({
  names: ["wp"],
  kind: "destroy-database",
  service: true,
  values: "path url user http ssh skip-plugins fields format",
  rules: [
    ["db reset|drop|clean", "drops the tables of the site"],
    ["site empty|delete", "deletes the site {} with its content"],
    ["post|user|term|comment|media|menu delete", "deletes {} for good", { needs: "force yes all" }],
    ["plugin|theme delete", "deletes {}", { needs: "all" }],
  ],
  sql: [{ after: "** query", stdin: true }],
  script: [{ after: "** eval", language: "php" }],
  examples: {
    hit: [
      "wp db reset",
      "wp site empty web",
      "wp post delete web --force",
      "wp plugin delete web --all",
      "wp query 'DROP TABLE orders'",
      "wp eval 'system(\"rm -rf /srv/data\");'",
    ],
    pass: ["wp post delete web"],
  },
});
