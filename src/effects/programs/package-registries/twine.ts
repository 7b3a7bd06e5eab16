import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["twine"],
  kind: "publish",
  exempt: "their words are packages",
  values: "r repository repository-url u username p password config-file",
  dry: "dry-run",
  rules: [["upload", PACKAGE]],
  registry: { option: /^--repository-url$/, variable: /^TWINE_REPOSITORY_URL$/ },
  examples: {
    hit: ["twine upload --repository pypi dist/a.whl"],
    pass: [
      "twine upload --repository testpypi dist/a.whl",
      "twine upload --repository-url https://test.pypi.org/legacy/ dist/a.whl",
    ],
  },
});
