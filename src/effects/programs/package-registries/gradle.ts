import { program } from "../../program.ts";
import { gradlePublications } from "./gradle-publications.ts";

export default program({
  names: ["gradle", "gradlew"],
  kind: "destroy-database",
  exempt: "their words are tasks of the project",
  values: "f file s settings P pl p b c I x",
  dry: "dry-run m",
  rules: [["** flyway:clean|flywayClean|liquibase:dropAll", "drops everything in the schemas"]],
  also: gradlePublications,
  examples: {
    hit: ["gradle publish", "gradle :web:publishAllPublications", "gradle flyway:clean"],
    pass: ["gradle build", "gradle publishToMavenLocal", "gradle tasks"],
  },
});
