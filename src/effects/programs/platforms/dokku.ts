import { program } from "../../program.ts";

export default program({
  names: ["dokku"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["apps:destroy|postgres:destroy|mysql:destroy|redis:destroy|mongo:destroy|storage:destroy", "destroys {}"]],
  examples: {
    hit: ["dokku apps:destroy web"],
    pass: ["dokku apps:list"],
  },
});
