import { program } from "../../program.ts";

export default program({
  names: ["prefect"],
  kind: "destroy-database",
  service: true,
  rules: [
    ["** reset", "drops the database"],
    ["** delete", "deletes {}"],
  ],
  examples: {
    hit: ["prefect reset", "prefect delete web"],
    pass: ["prefect deployment ls"],
  },
});
