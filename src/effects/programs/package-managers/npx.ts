import { program } from "../../program.ts";
import { behind, npmPackage } from "./foreign-code.ts";

export default program({
  names: ["npx", "bunx", "pnpx"],
  kind: "remote-code",
  exempt: "their words are packages and scripts",
  also: behind("", npmPackage),
  examples: {
    hit: ["npx github:someone/tool"],
    pass: ["npx eslint src"],
  },
});
