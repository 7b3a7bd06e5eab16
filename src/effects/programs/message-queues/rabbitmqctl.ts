import { program } from "../../program.ts";

export default program({
  names: ["rabbitmqctl"],
  kind: "destroy-database",
  service: true,
  rules: [
    ["reset|force_reset", "resets the message broker"],
    ["delete_queue|purge_queue|delete_vhost", "removes the messages of {}"],
  ],
  examples: {
    hit: ["rabbitmqctl reset", "rabbitmqctl delete_queue web"],
    pass: ["rabbitmqctl list_queues"],
  },
});
