import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["cpan-upload"],
  kind: "publish",
  values: "u user p password d directory c config",
  dry: "dry-run n",
  rules: [["*", PACKAGE]],
  examples: {
    hit: ["cpan-upload Foo-1.0.tar.gz"],
    pass: ["cpan-upload --dry-run Foo-1.0.tar.gz"],
  },
});
