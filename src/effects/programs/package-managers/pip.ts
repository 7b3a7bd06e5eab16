import { program } from "../../program.ts";
import { behind, builtSource } from "./foreign-code.ts";

export default program({
  names: ["pip", "pip3"],
  kind: "remote-code",
  also: behind("install wheel", builtSource),
  examples: {
    hit: ["pip install git+https://github.com/x/y", 'pip install "y @ git+https://x.test/y.git"'],
    pass: ["pip uninstall -y requests", "pip freeze"],
  },
});
