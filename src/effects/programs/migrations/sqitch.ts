import { program } from "../../program.ts";

export default program({
  names: ["sqitch"],
  kind: "destroy-database",
  service: true,
  rules: [["revert", "reverts every change of the schema"]],
  examples: {
    hit: ["sqitch revert"],
    pass: ["sqitch deploy"],
  },
});
