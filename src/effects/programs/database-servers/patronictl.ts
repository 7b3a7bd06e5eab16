import { program } from "../../program.ts";

export default program({
  names: ["patronictl"],
  kind: "destroy-database",
  service: true,
  values: "c config-file d dcs-url",
  rules: [["remove|reinit", "removes the data of the cluster {}"]],
  examples: {
    hit: ["patronictl remove web"],
    pass: ["patronictl list"],
  },
});
