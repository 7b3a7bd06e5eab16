import { program } from "../../program.ts";
import { changedOwners } from "./permissions.ts";

export default program({
  names: ["chown", "chgrp", "setfacl"],
  kind: "permission-blast",
  exempt: "their words are processes, services, accounts and files",
  also: changedOwners,
  examples: {
    hit: ["chown -R dev /etc", "setfacl -R -b /"],
    pass: ["chown dev notes.txt"],
  },
});
