import { both } from "../../effect.ts";
import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";
import { addressedCode, behind, builtSource } from "./foreign-code.ts";

export default program({
  names: ["uv"],
  kind: "publish",
  values: "index publish-url token u username p password directory project",
  dry: "dry-run",
  rules: [["publish", PACKAGE]],
  also: both(behind("run tool", addressedCode), behind("pip add", builtSource)),
  registry: { option: /^--(?:publish-url|index)$/, variable: /^UV_PUBLISH_URL$/ },
  examples: {
    hit: ["uv publish", "uv publish --publish-url https://upload.pypi.org/legacy/", "uv run https://code.example/x.py"],
    pass: ["uv build", "uv publish --dry-run", "uv publish --index testpypi", "uv run x.py"],
  },
});
