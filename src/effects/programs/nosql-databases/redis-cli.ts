import { REDIS } from "../../languages/sql/redis.ts";
import { program } from "../../program.ts";

export default program({
  names: ["redis-cli", "valkey-cli", "keydb-cli"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  also: REDIS,
  examples: {
    hit: ["redis-cli FLUSHALL", "redis-cli -h cache -p 6380 flushdb"],
    pass: ["redis-cli PING", "redis-cli GET flushall"],
  },
});
