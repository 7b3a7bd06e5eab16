import { both } from "../../effect.ts";
import { REDIS_WIRE } from "../../languages/sql/redis.ts";
import { program } from "../../program.ts";
import { memcachedTexts } from "./shell-texts.ts";

/** memcached has no other client, and Redis takes its commands as text as well. */
export default program({
  names: ["nc", "ncat", "netcat", "telnet"],
  kind: "destroy-database",
  exempt: "their words are an address",
  also: both(REDIS_WIRE, memcachedTexts),
  examples: {
    hit: ["echo flush_all | nc cache 11211", "echo FLUSHALL | nc cache 6379"],
    pass: ["echo stats | nc cache 11211"],
  },
});
