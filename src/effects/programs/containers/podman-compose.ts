import { program } from "../../program.ts";
import { COMPOSE_RULES, COMPOSE_VALUES, withoutGlobalOptions } from "./compose.ts";

export default program({
  names: ["podman-compose"],
  kind: "destroy-container-data",
  exempt: "images, networks and stopped containers are made again, and what holds data has a rule",
  values: COMPOSE_VALUES,
  dry: "dry-run",
  reads: withoutGlobalOptions,
  rules: COMPOSE_RULES,
  examples: {
    hit: ["podman-compose down -v", "podman-compose rm -v"],
    pass: ["podman-compose down"],
  },
});
