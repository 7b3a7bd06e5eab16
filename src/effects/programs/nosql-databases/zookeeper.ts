import { program } from "../../program.ts";

export default program({
  names: ["zkCli.sh", "zkcli"],
  kind: "destroy-database",
  service: true,
  values: "server",
  rules: [["deleteall|rmr", "deletes {} with everything under it"]],
  examples: {
    hit: ["zkCli.sh deleteall web"],
    pass: ["zkCli.sh ls /"],
  },
});
