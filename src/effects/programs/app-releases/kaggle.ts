import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["kaggle"],
  kind: "publish",
  dry: "dry-run",
  rules: [["datasets|kernels create|push", PACKAGE, { needs: "public u" }]],
  examples: {
    hit: ["kaggle datasets create --public"],
    pass: ["kaggle datasets create"],
  },
});
