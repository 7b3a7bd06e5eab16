import { both } from "../../effect.ts";
import { program } from "../../program.ts";
import { projectScript } from "./project-tools.ts";
import { pipModule, pythonModule } from "./python-modules.ts";

/** Modules and scripts that are programs of their own. The language itself is read elsewhere. */
export default program({
  names: ["python", "python3"],
  kind: "remote-code",
  exempt: "their words are tasks of the project",
  also: both(pipModule, projectScript, pythonModule),
  examples: {
    hit: ["python manage.py flush", "python -m twine upload dist/web.whl"],
    pass: ["python manage.py check", "python -m pip list"],
  },
});
