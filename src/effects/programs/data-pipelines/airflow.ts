import { program } from "../../program.ts";

export default program({
  names: ["airflow"],
  kind: "destroy-database",
  service: true,
  dry: "dry-run",
  rules: [
    ["db reset", "drops the scheduler's database"],
    ["db clean", "deletes old rows", { needs: "y yes" }],
    ["dags delete", "deletes the history of {}"],
  ],
  examples: {
    hit: ["airflow db reset", "airflow db clean -y", "airflow dags delete web"],
    pass: ["airflow dags list"],
  },
});
