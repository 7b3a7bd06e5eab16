import { program } from "../../program.ts";
import { cypherStatements } from "./cypher.ts";

export default program({
  names: ["cypher-shell"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  also: cypherStatements,
  examples: {
    hit: ['cypher-shell "MATCH (n) DETACH DELETE n"', "cypher-shell -u neo4j -p x 'MATCH (n:User) DETACH DELETE n'"],
    pass: ["cypher-shell 'MATCH (n {id:1}) DETACH DELETE n'", "cypher-shell 'MATCH (n) RETURN n'"],
  },
});
