import { program } from "../../program.ts";

export default program({
  names: ["dropdb"],
  kind: "destroy-database",
  exempt: "every word is the name of what the program itself drops",
  options: {
    short: "efih:p:U:wW",
    long: "echo force interactive if-exists host: port: username: no-password password maintenance-db:",
  },
  rules: [
    [
      "**",
      "drops the database {}",
      { named: true, target: "first", instead: "run it against a copy, or take a backup first" },
    ],
  ],
  exceptNew: true,
  examples: {
    hit: ["dropdb production", "dropdb --if-exists -h localhost app"],
    pass: ["dropdb --help"],
  },
});
