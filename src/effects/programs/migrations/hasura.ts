import { program } from "../../program.ts";

export default program({
  names: ["hasura"],
  kind: "destroy-database",
  service: true,
  rules: [
    ["migrate apply", "reverts every migration, which drops the tables and their rows", { needs: "down" }],
    ["metadata clear", "clears the metadata"],
  ],
  examples: {
    hit: ["hasura migrate apply --down", "hasura metadata clear"],
    pass: ["hasura migrate apply"],
  },
});
