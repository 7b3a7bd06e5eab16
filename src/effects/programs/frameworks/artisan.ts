import { program } from "../../program.ts";

export default program({
  names: ["artisan"],
  kind: "destroy-database",
  exempt: "their words are tasks of the project",
  dry: "pretend",
  rules: [
    ["migrate:fresh|migrate:refresh|db:wipe", "drops every table"],
    ["migrate:reset", "reverts every migration, which drops the tables and their rows"],
  ],
  script: [{ after: "tinker", option: "execute", language: "php" }],
  examples: {
    hit: ["artisan migrate:fresh", "artisan migrate:reset", "artisan tinker --execute='system(\"rm -rf /srv/data\");'"],
    pass: ["artisan migrate:fresh --pretend"],
  },
});
