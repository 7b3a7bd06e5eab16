import { program } from "../../program.ts";

export default program({
  names: ["azcopy"],
  kind: "destroy-infrastructure",
  service: true,
  dry: "dry-run",
  rules: [
    ["remove|rm", "deletes {}"],
    ["sync", "deletes what the source does not have", { needs: "delete-destination" }],
  ],
  examples: {
    hit: ["azcopy remove web", "azcopy sync --delete-destination"],
    pass: ["azcopy sync"],
  },
});
