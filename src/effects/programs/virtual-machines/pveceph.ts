import { program } from "../../program.ts";

export default program({
  names: ["pveceph"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["pool|osd|fs destroy", "destroys {}"],
    ["purge", "removes the storage cluster"],
  ],
  examples: {
    hit: ["pveceph pool destroy web", "pveceph purge"],
    pass: ["pveceph status"],
  },
});
