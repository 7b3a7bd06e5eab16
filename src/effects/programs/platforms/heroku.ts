import { program } from "../../program.ts";

export default program({
  names: ["heroku"],
  kind: "destroy-infrastructure",
  service: true,
  values: "a app r remote c confirm",
  rules: [
    ["apps:destroy|destroy|addons:destroy|pipelines:destroy|spaces:destroy|redis:destroy", "destroys {}"],
    ["pg:reset", "removes everything from the database {}", { kind: "destroy-database" }],
    ["pg:backups:delete|repo:reset", "deletes {}"],
    ["pg:copy|pg:backups:restore|pg:push", "replaces the database {}", { kind: "destroy-database" }],
  ],
  shell: [{ after: "run" }],
  sql: [{ after: "pg:psql", option: "c command" }],
  examples: {
    hit: [
      "heroku apps:destroy -a app --confirm app",
      "heroku apps:destroy --app app",
      "heroku pg:reset DATABASE_URL --confirm app",
      "heroku addons:destroy heroku-postgresql",
      "heroku pg:backups:delete web",
      "heroku pg:copy web",
      "heroku run 'rm -rf /srv/data'",
      "heroku pg:psql -c 'DROP TABLE orders'",
    ],
    pass: [
      "heroku apps",
      "heroku apps:info",
      "heroku logs --tail",
      "heroku pg:info",
      'heroku pg:psql -c "SELECT 1"',
      "heroku run rails db:migrate",
      "heroku ps:restart",
    ],
  },
});
