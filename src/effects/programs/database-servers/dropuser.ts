import { program } from "../../program.ts";

export default program({
  names: ["dropuser"],
  kind: "destroy-database",
  exempt: "every word is the name of what the program itself drops",
  options: {
    short: "efih:p:U:wW",
    long: "echo force interactive if-exists host: port: username: no-password password maintenance-db:",
  },
  rules: [
    [
      "**",
      "drops the user {}",
      { named: true, target: "first", instead: "run it against a copy, or take a backup first" },
    ],
  ],
  exceptNew: true,
  examples: {
    hit: ["dropuser app"],
    pass: ["dropuser --version"],
  },
});
