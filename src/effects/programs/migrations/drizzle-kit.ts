import { program } from "../../program.ts";

export default program({
  names: ["drizzle-kit"],
  kind: "destroy-database",
  service: true,
  rules: [
    ["push", "drops columns and tables that the schema no longer has", { needs: "force" }],
    ["drop", "deletes migrations of the project"],
  ],
  examples: {
    hit: ["drizzle-kit push --force", "drizzle-kit drop"],
    pass: ["drizzle-kit push"],
  },
});
