import { program } from "../../program.ts";
import { changedModes } from "./permissions.ts";

export default program({
  names: ["chmod"],
  kind: "permission-blast",
  exempt: "their words are processes, services, accounts and files",
  also: changedModes,
  examples: {
    hit: ["chmod -R 777 /", "chmod u+s /bin/bash"],
    pass: ["chmod +x run.sh", "chmod -R u+rwX build"],
  },
});
