import { program } from "../../program.ts";

export default program({
  names: ["memcflush", "memflush"],
  kind: "destroy-database",
  exempt: "they take options and files, no subcommands",
  values: "servers s",
  rules: [["**", "empties memcached", { needs: "servers s" }]],
  examples: {
    hit: ["memcflush --servers x"],
    pass: ["memcflush"],
  },
});
