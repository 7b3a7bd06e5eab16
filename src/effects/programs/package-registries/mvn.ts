import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["mvn", "mvnw"],
  kind: "destroy-database",
  exempt: "their words are tasks of the project",
  values: "f file s settings P pl p b c I x D",
  dry: "dry-run",
  rules: [
    ["** flyway:clean|flywayClean|liquibase:dropAll", "drops everything in the schemas", { unless: "m" }],
    ["** deploy|deploy:deploy|deploy:deploy-file|release:perform|nexus-staging:release", PACKAGE, { kind: "publish" }],
  ],
  examples: {
    hit: ["mvn deploy", "mvn clean deploy -DskipTests", "mvn flyway:clean", "mvn -B liquibase:dropAll"],
    pass: [
      "mvn install",
      "mvn package",
      "mvn dependency:tree",
      "mvn deploy --help",
      "mvn flyway:info",
      "mvn liquibase:status",
    ],
  },
});
