import { program } from "../../program.ts";

export default program({
  names: ["forever"],
  kind: "kill-everything",
  exempt: "their words are processes, services, accounts and files",
  rules: [["stopall", "ends every process that it manages"]],
  examples: {
    hit: ["forever stopall"],
    pass: ["forever list"],
  },
});
