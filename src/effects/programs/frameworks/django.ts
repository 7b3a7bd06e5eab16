import { program } from "../../program.ts";

export default program({
  names: ["manage.py", "django-admin"],
  kind: "destroy-database",
  exempt: "their words are tasks of the project",
  values: "settings database pythonpath v",
  dry: "plan",
  rules: [
    ["flush|reset_db|sqlflush_and_run", "removes every row of the database"],
    ["migrate * zero", "reverts every migration, which drops the tables and their rows"],
  ],
  sql: [{ after: "dbshell", option: "c command e execute", behindDashes: true, stdin: true }],
  script: [{ after: "shell", option: "c command", language: "python" }],
  examples: {
    hit: [
      "manage.py flush",
      "manage.py migrate web zero",
      "manage.py dbshell -- -c 'DROP TABLE orders'",
      "manage.py shell -c 'import shutil; shutil.rmtree(\"/srv/data\")'",
    ],
    pass: ["manage.py flush --plan"],
  },
});
