import { program } from "../../program.ts";
import { behind, goModule } from "./foreign-code.ts";

export default program({
  names: ["go"],
  kind: "remote-code",
  also: behind("run", goModule),
  examples: {
    hit: ["go run github.com/x/y@latest"],
    pass: ["go run ./cmd/app", "go run golang.org/x/tools/cmd/stringer@latest"],
  },
});
