import { program } from "../../program.ts";

export default program({
  names: ["appwrite"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["* delete|delete-*", "deletes {}"]],
  examples: {
    hit: ["appwrite databases delete --database-id main"],
    pass: ["appwrite projects list"],
  },
});
