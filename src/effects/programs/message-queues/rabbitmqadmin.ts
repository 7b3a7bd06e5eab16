import { program } from "../../program.ts";

export default program({
  names: ["rabbitmqadmin"],
  kind: "destroy-database",
  service: true,
  values: "u p H P V",
  rules: [["delete|purge queue|exchange|vhost|user", "removes {}"]],
  examples: {
    hit: ["rabbitmqadmin delete queue web"],
    pass: ["rabbitmqadmin list queues"],
  },
});
