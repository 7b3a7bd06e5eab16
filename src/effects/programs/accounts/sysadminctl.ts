import { program } from "../../program.ts";

export default program({
  names: ["sysadminctl"],
  kind: "delete-tree",
  rules: [["**", "removes an account", { needs: "deleteUser", target: "last" }]],
  examples: {
    hit: ["sysadminctl -deleteUser dev"],
    pass: ["sysadminctl -addUser dev"],
  },
});
