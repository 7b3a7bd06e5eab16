import { program } from "../../program.ts";
import { kill } from "./killing.ts";

export default program({
  names: ["kill"],
  kind: "kill-everything",
  exempt: "their words are processes, services, accounts and files",
  also: kill,
  examples: {
    hit: ["kill -9 -1", "kill 1"],
    pass: ["kill 4711", "kill -0 1"],
  },
});
