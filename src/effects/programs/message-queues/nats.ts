import { program } from "../../program.ts";

export default program({
  names: ["nats"],
  kind: "destroy-database",
  service: true,
  values: "s server creds",
  rules: [["stream|kv|object|consumer rm|del|delete|purge", "removes {}"]],
  examples: {
    hit: ["nats stream rm web"],
    pass: ["nats stream ls"],
  },
});
