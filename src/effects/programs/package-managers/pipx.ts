import { both } from "../../effect.ts";
import { program } from "../../program.ts";
import { addressedCode, behind, builtSource } from "./foreign-code.ts";

export default program({
  names: ["pipx"],
  kind: "remote-code",
  also: both(behind("run", addressedCode), behind("install", builtSource)),
  examples: {
    hit: ["pipx install git+https://github.com/x/y"],
    pass: ["pipx install ruff"],
  },
});
