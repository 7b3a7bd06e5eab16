import { program } from "../../program.ts";
import { saltFunctions } from "./salt-functions.ts";

export default program({
  names: ["salt", "salt-call"],
  kind: "delete-tree",
  service: true,
  also: saltFunctions,
  examples: {
    hit: ["salt '*' cmd.run 'dropdb app'"],
    pass: ["salt '*' test.ping"],
  },
});
