import type { Rule } from "../../program-rules.ts";

const RESETS = "drops and recreates the database";

/** Tasks of a Rails project, which rails and rake run alike. */
export const RAILS_RULES: readonly Rule[] = [
  [
    "db:drop*|db:reset|db:purge*|db:schema:load*|db:structure:load|db:migrate:reset|db:truncate_all|db:setup|db:seed:replant|db:mongoid:drop|db:mongoid:purge",
    RESETS,
  ],
  ["* db:drop*|db:reset|db:purge*|db:schema:load*|db:migrate:reset|db:truncate_all|db:setup", RESETS],
];
