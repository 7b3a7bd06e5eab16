import { program } from "../../program.ts";
import { addressedCode, behind } from "./foreign-code.ts";

export default program({
  names: ["uvx"],
  kind: "remote-code",
  also: behind("", addressedCode),
  examples: {
    hit: ["uvx --from git+https://git.example/tool tool"],
    pass: ["uvx ruff check"],
  },
});
