import { program } from "../../program.ts";

export default program({
  names: ["launchctl"],
  kind: "delete-tree",
  rules: [["bootout|remove", "removes the service {}", { kind: "schedule-loss", named: true }]],
  examples: {
    hit: ["launchctl bootout web"],
    pass: ["launchctl list"],
  },
});
