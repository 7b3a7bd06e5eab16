import { program } from "../../program.ts";

export default program({
  names: ["ykman"],
  kind: "delete-tree",
  rules: [["* reset", "wipes the key"]],
  examples: {
    hit: ["ykman web reset"],
    pass: ["ykman info"],
  },
});
