import { program } from "../../program.ts";

export default program({
  names: ["mlflow"],
  kind: "destroy-database",
  service: true,
  rules: [
    ["gc", "deletes runs for good"],
    ["experiments|runs delete", "deletes {}"],
  ],
  examples: {
    hit: ["mlflow gc", "mlflow experiments delete web"],
    pass: ["mlflow runs list"],
  },
});
