import { program } from "../../program.ts";

export default program({
  names: ["pgbackrest"],
  kind: "destroy-infrastructure",
  service: true,
  values: "stanza config repo",
  rules: [["stanza-delete", "deletes every backup of the stanza"]],
  examples: {
    hit: ["pgbackrest stanza-delete"],
    pass: ["pgbackrest --stanza main info"],
  },
});
