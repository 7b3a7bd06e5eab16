import { program } from "../../program.ts";

export default program({
  names: ["pass"],
  kind: "delete-tree",
  rules: [["rm|remove|delete", "deletes the password {}", { needs: "f force r recursive rf" }]],
  examples: {
    hit: ["pass rm web -f"],
    pass: ["pass rm web"],
  },
});
