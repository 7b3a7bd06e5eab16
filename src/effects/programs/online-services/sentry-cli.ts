import { program } from "../../program.ts";

export default program({
  names: ["sentry-cli"],
  kind: "destroy-infrastructure",
  service: true,
  values: "o org p project url auth-token",
  rules: [["releases|projects|monitors|sourcemaps|files delete", "deletes {}"]],
  examples: {
    hit: ["sentry-cli releases delete 1.0.0"],
    pass: ["sentry-cli releases list"],
  },
});
