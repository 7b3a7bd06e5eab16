import { program } from "../../program.ts";

export default program({
  names: ["userdel", "deluser", "groupdel", "delgroup"],
  kind: "delete-tree",
  exempt: "their words are processes, services, accounts and files",
  rules: [["**", "removes the account {}", { named: true, target: "last" }]],
  examples: {
    hit: ["userdel web"],
    pass: ["userdel --version"],
  },
});
