import { program } from "../../program.ts";

export default program({
  names: ["sst"],
  kind: "destroy-infrastructure",
  service: true,
  values: "stage",
  rules: [["remove", "removes the app's resources"]],
  examples: {
    hit: ["sst remove"],
    pass: ["sst deploy"],
  },
});
