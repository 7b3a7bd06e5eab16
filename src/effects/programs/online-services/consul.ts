import { program } from "../../program.ts";

export default program({
  names: ["consul"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["kv delete", "deletes every key under {}", { needs: "recurse" }],
    ["snapshot restore", "replaces all stored data with {}"],
  ],
  examples: {
    hit: ["consul kv delete -recurse app/", "consul snapshot restore backup.snap"],
    pass: ["consul kv get app/x", "consul kv delete app/one", "consul snapshot save backup.snap"],
  },
});
