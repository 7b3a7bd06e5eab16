import { program } from "../../program.ts";

export default program({
  names: ["pm2"],
  kind: "kill-everything",
  exempt: "their words are processes, services, accounts and files",
  rules: [
    ["delete|del all", "ends every process that it manages, and removes them from its list"],
    ["kill", "ends every process that it manages"],
  ],
  examples: {
    hit: ["pm2 delete all", "pm2 kill"],
    pass: ["pm2 delete web", "pm2 restart all", "pm2 stop all"],
  },
});
