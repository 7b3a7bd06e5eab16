import { program } from "../../program.ts";

export default program({
  names: ["pg_restore"],
  kind: "destroy-database",
  exempt: "they take options and files, no subcommands",
  options: {
    short: "acCd:eF:f:h:I:j:lL:n:N:OP:p:RsS:t:T:U:vVwWx1",
    long: "data-only clean create dbname: exit-on-error file: format: function: host: if-exists index: jobs: list no-owner port: schema: schema-only superuser: table: trigger: username: use-list: verbose single-transaction",
  },
  rules: [
    [
      "**",
      "drops what is in {} before it restores",
      {
        needs: ["d dbname", "c clean"],
        unless: "l list",
        target: { option: "d dbname" },
        instead: "run it against a copy, or take a backup first",
      },
    ],
  ],
  examples: {
    hit: ["pg_restore --clean -d app dump.tar", "pg_restore -c --if-exists --dbname=app backup.dump"],
    pass: ["pg_restore -l dump.tar", "pg_restore --clean dump.tar", "pg_restore -d app dump.tar"],
  },
});
