import { program } from "../../program.ts";

export default program({
  names: ["passwd"],
  kind: "permission-blast",
  exempt: "their words are processes, services, accounts and files",
  rules: [["**", "lets an account log in without a password", { needs: "d delete", target: "last" }]],
  examples: {
    hit: ["passwd -d"],
    pass: ["passwd -S dev"],
  },
});
