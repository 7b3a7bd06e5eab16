import { program } from "../../program.ts";
import { scopedPackage } from "./project-tools.ts";

/** `npx @mikro-orm/cli`: the program has the name of the package without its scope. */
export default program({
  names: ["cli"],
  kind: "destroy-database",
  exempt: "their words are packages",
  also: scopedPackage,
  examples: {
    hit: ["npx @changesets/cli publish"],
    pass: ["npx @changesets/cli status"],
  },
});
