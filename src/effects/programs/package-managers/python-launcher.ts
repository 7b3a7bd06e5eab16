import { program } from "../../program.ts";
import { pythonModule } from "./python-modules.ts";

export default program({
  names: ["py"],
  kind: "publish",
  exempt: "their words are tasks of the project",
  also: pythonModule,
  examples: {
    hit: ["py -m twine upload dist/web.whl"],
    pass: ["py -m twine check dist/web.whl"],
  },
});
