import { program } from "../../program.ts";

export default program({
  names: ["memcached-tool"],
  kind: "destroy-database",
  service: true,
  rules: [["* flush|flush_all", "empties memcached"]],
  examples: {
    hit: ["memcached-tool web flush"],
    pass: ["memcached-tool cache:11211 stats"],
  },
});
