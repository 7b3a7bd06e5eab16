import { program } from "../../program.ts";

export default program({
  names: ["snap"],
  kind: "delete-tree",
  rules: [["remove", "removes {} with its data", { needs: "purge" }]],
  examples: {
    hit: ["snap remove web --purge"],
    pass: ["snap remove web"],
  },
});
