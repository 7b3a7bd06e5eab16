import { program } from "../../program.ts";
import { COMPOSE_RULES, COMPOSE_VALUES, withoutGlobalOptions } from "./compose.ts";

export default program({
  names: ["docker-compose"],
  kind: "destroy-container-data",
  exempt: "images, networks and stopped containers are made again, and what holds data has a rule",
  values: COMPOSE_VALUES,
  dry: "dry-run",
  reads: withoutGlobalOptions,
  rules: [...COMPOSE_RULES, ["push", "pushes images to their registry", { kind: "publish" }]],
  examples: {
    hit: [
      "docker-compose down -v",
      "docker-compose -p app down --rmi all --volumes",
      "docker-compose rm -v",
      "docker-compose push",
    ],
    pass: ["docker-compose down"],
  },
});
