import { program } from "../../program.ts";

export default program({
  names: ["supervisorctl"],
  kind: "kill-everything",
  exempt: "their words are processes, services, accounts and files",
  rules: [
    ["stop all", "ends every process that it manages"],
    ["shutdown", "ends every process that it manages"],
  ],
  examples: {
    hit: ["supervisorctl stop all", "supervisorctl shutdown"],
    pass: ["supervisorctl stop web", "supervisorctl restart all"],
  },
});
