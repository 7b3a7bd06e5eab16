import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["poetry"],
  kind: "publish",
  values: "C directory P project r repository u username p password",
  dry: "dry-run",
  rules: [["publish", PACKAGE], ["run"]],
  examples: {
    hit: ["poetry publish --build"],
    pass: ["poetry build", "poetry publish --dry-run", "poetry publish -r testpypi", "poetry run"],
  },
});
