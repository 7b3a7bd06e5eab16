import { program } from "../../program.ts";
import { stoppedService } from "./services.ts";

export default program({
  names: ["service"],
  kind: "kill-everything",
  exempt: "their words are processes, services, accounts and files",
  also: stoppedService,
  examples: {
    hit: ["service ssh stop"],
    pass: ["service ssh status"],
  },
});
