import { program } from "../../program.ts";

export default program({
  names: ["nomad"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["job stop", "stops the job {} and deletes its record", { needs: "purge" }],
    ["namespace|volume delete", "deletes {}"],
  ],
  examples: {
    hit: ["nomad job stop -purge web", "nomad namespace delete web"],
    pass: ["nomad job status web"],
  },
});
