import { program } from "../../program.ts";
import { PACKAGE, UNPUBLISH } from "../package-registries/phrases.ts";

export default program({
  names: ["hf", "huggingface-cli"],
  kind: "publish",
  dry: "dry-run",
  rules: [
    ["upload|upload-large-folder", PACKAGE, { unless: "private" }],
    ["repo delete", UNPUBLISH],
  ],
  examples: {
    hit: ["hf upload", "hf repo delete"],
    pass: ["hf upload --private"],
  },
});
