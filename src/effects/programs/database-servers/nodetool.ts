import { program } from "../../program.ts";

export default program({
  names: ["nodetool"],
  kind: "destroy-database",
  service: true,
  values: "h host p port",
  rules: [["removenode|decommission|clearsnapshot", "removes data from the ring"]],
  examples: {
    hit: ["nodetool removenode"],
    pass: ["nodetool status"],
  },
});
