import { program } from "../../program.ts";
import { projectScript } from "../package-managers/project-tools.ts";

/** Tools of a project that an interpreter is told to run. The language itself is read elsewhere. */
export default program({
  names: ["php", "ruby", "symfony", "node", "tsx", "ts-node"],
  kind: "destroy-database",
  exempt: "their words are tasks of the project",
  also: projectScript,
  examples: {
    hit: ["php artisan db:wipe", "node node_modules/.bin/knex migrate:rollback --all"],
    pass: ["php artisan migrate", "node node_modules/.bin/knex migrate:latest"],
  },
});
