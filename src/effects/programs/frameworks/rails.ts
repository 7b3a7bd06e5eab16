import { program } from "../../program.ts";
import { RAILS_RULES } from "./rails-tasks.ts";

export default program({
  names: ["rails"],
  kind: "destroy-database",
  values: "e environment",
  dry: "T tasks P prereqs",
  rules: RAILS_RULES,
  script: [
    { after: "runner|r", language: "ruby" },
    { after: "c|console", language: "ruby", stdin: "only" },
  ],
  examples: {
    hit: [
      "rails db:schema:load DISABLE_DATABASE_ENVIRONMENT_CHECK=1",
      "rails web db:dropx",
      "rails runner 'system(\"rm -rf /srv/data\")'",
      "echo 'system(\"rm -rf /srv/data\")' | rails c",
    ],
    pass: [
      "rails db:migrate",
      "rails db:seed",
      "rails db:migrate:status",
      "rails db:rollback",
      'rails runner "puts 1"',
    ],
  },
});
