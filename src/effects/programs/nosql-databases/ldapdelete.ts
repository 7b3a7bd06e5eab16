import { program } from "../../program.ts";

export default program({
  names: ["ldapdelete"],
  kind: "destroy-database",
  exempt: "every word is the name of what the program itself drops",
  values: "H D w h p y Y b",
  dry: "n",
  rules: [["*", "deletes entries of the directory"]],
  examples: {
    hit: ["ldapdelete web"],
    pass: ["ldapdelete web -n"],
  },
});
