import { program } from "../../program.ts";

export default program({
  names: ["dbmate"],
  kind: "destroy-database",
  service: true,
  values: "u url e env d migrations-dir",
  rules: [["drop", "drops the database"]],
  examples: {
    hit: ["dbmate drop"],
    pass: ["dbmate up"],
  },
});
