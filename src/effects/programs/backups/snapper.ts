import { program } from "../../program.ts";

export default program({
  names: ["snapper"],
  kind: "destroy-infrastructure",
  service: true,
  values: "c config",
  rules: [
    ["delete|rm|remove", "deletes the snapshots {}"],
    ["delete-config", "removes the configuration and its snapshots"],
    ["rollback|undochange", "replaces the current files with older ones"],
  ],
  examples: {
    hit: ["snapper delete web", "snapper delete-config", "snapper rollback"],
    pass: ["snapper list"],
  },
});
