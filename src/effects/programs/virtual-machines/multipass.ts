import { program } from "../../program.ts";

export default program({
  names: ["multipass"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["delete", "deletes the machine {}", { needs: "p purge all" }],
    ["purge", "purges deleted machines"],
  ],
  examples: {
    hit: ["multipass delete --purge vm", "multipass purge"],
    pass: ["multipass delete web"],
  },
});
