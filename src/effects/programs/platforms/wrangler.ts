import { program } from "../../program.ts";

export default program({
  names: ["wrangler"],
  kind: "destroy-infrastructure",
  service: true,
  values: "c config e env name",
  dry: "dry-run",
  rules: [
    ["delete", "deletes the worker {}"],
    ["d1|queues|hyperdrive|vectorize|workflows|pipelines|secret delete", "deletes {}"],
    ["queues purge", "empties the queue {}"],
    ["* time-travel restore", "replaces {} with an older state", { kind: "destroy-database" }],
    ["kv:namespace|kv:key|kv:bulk|r2:bucket delete", "deletes {}"],
    ["kv|r2|pages namespace|key|bulk|bucket|object|project|deployment delete", "deletes {}"],
  ],
  sql: [{ after: "d1 execute", option: "command" }],
  examples: {
    hit: [
      "wrangler delete",
      "wrangler d1 delete db",
      "wrangler kv namespace delete --namespace-id x",
      "wrangler r2 bucket delete b",
      "wrangler queues purge mails",
      "wrangler d1 time-travel restore shop --timestamp 1700000000",
      "wrangler secret delete API_KEY",
      "wrangler kv:namespace delete web",
      "wrangler d1 execute --command='DROP TABLE orders'",
    ],
    pass: [
      "wrangler deploy",
      "wrangler delete --dry-run",
      "wrangler dev",
      'wrangler d1 execute DB --command "SELECT 1"',
      "wrangler d1 list",
      "wrangler deploy --dry-run",
      "wrangler tail",
      "wrangler queues list",
      "wrangler d1 time-travel info shop",
      "wrangler secret list",
    ],
  },
});
