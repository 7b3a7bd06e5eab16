import { program } from "../../program.ts";

export default program({
  names: ["rpk"],
  kind: "destroy-database",
  service: true,
  values: "X config profile",
  rules: [
    ["topic delete|trim-prefix", "deletes the topic {}"],
    ["group delete", "deletes the group {}"],
    ["cluster|cloud delete", "deletes {}"],
  ],
  examples: {
    hit: ["rpk topic delete web", "rpk group delete web", "rpk cluster delete web"],
    pass: ["rpk topic list"],
  },
});
