import { program } from "../../program.ts";

export default program({
  names: ["edgedb", "gel"],
  kind: "destroy-database",
  service: true,
  values: "I instance",
  rules: [
    ["database|branch drop|wipe", "drops {}"],
    ["instance destroy", "destroys the instance {}"],
  ],
  examples: {
    hit: ["edgedb database drop web", "edgedb instance destroy web"],
    pass: ["edgedb instance list"],
  },
});
