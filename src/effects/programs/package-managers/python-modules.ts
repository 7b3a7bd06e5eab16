import { knownWord } from "../../../shell/command.ts";
import { effect, type Family } from "../../effect.ts";
import { quotedWords } from "../../line/line-text.ts";
import { PACKAGE } from "../package-registries/phrases.ts";
import { behind, builtSource } from "./foreign-code.ts";

/** `python -m twine upload`: modules that are programs of their own, and what they are called. */
const MODULES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "twine poetry flit hatch pdm alembic flask ansible sqlite3 esptool".split(" ").map((name) => [name, name]),
  ),
  django: "django-admin",
  awscli: "aws",
};

export const pythonModule: Family = (command, scene) => {
  const setup = command.args.findIndex((word) => word === "setup.py" || word === "./setup.py");
  if (setup >= 0 && command.args.slice(setup).includes("upload")) return [effect("publish", command, PACKAGE)];
  const at = command.args.indexOf("-m");
  const name = command.args[at + 1];
  if (at < 0 || name === undefined || !Object.hasOwn(MODULES, name)) return [];
  return scene.nested(quotedWords([knownWord(MODULES[name] ?? ""), ...command.argv.slice(at + 3)]), command);
};

/** `python -m pip install …` */
export const pipModule: Family = (command, scene) => {
  if (command.args[0] !== "-m" || !/^pip3?$/.test(command.args[1] ?? "")) return [];
  const pip = behind("install wheel", builtSource);
  return pip({ ...command, argv: command.argv.slice(2) }, scene).map((one) => ({ ...one, by: command }));
};
