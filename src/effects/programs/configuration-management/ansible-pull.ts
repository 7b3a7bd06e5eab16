import { program } from "../../program.ts";
import { addressedCode, behind } from "../package-managers/foreign-code.ts";

export default program({
  names: ["ansible-pull"],
  kind: "remote-code",
  exempt: "their words are packages and scripts",
  also: behind("", addressedCode),
  examples: {
    hit: ["ansible-pull -U https://git.example/site.git"],
    pass: ["ansible-pull site.yml"],
  },
});
