import { program } from "../../program.ts";

export default program({
  names: ["phinx"],
  kind: "destroy-database",
  service: true,
  rules: [["rollback", "reverts every migration, which drops the tables and their rows", { needs: "t" }]],
  examples: {
    hit: ["phinx rollback -t"],
    pass: ["phinx rollback"],
  },
});
