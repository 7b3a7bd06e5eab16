import { program } from "../../program.ts";

export default program({
  names: ["neo4j-admin"],
  kind: "destroy-database",
  service: true,
  rules: [
    ["database delete|load", "replaces the database {}"],
    ["load", "replaces the database"],
  ],
  examples: {
    hit: ["neo4j-admin database delete neo4j", "neo4j-admin load"],
    pass: ["neo4j-admin database dump neo4j"],
  },
});
