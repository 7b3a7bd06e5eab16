import { program } from "../../program.ts";

export default program({
  names: ["dseditgroup"],
  kind: "delete-tree",
  rules: [["** delete", "removes a group", { target: "last" }]],
  examples: {
    hit: ["dseditgroup delete"],
    pass: ["dseditgroup -o read staff"],
  },
});
