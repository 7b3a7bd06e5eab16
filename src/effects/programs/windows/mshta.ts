import { program } from "../../program.ts";

export default program({
  names: ["mshta"],
  kind: "remote-code",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["** http:*|https:*|javascript:*|vbscript:*", "runs code from the network"]],
  examples: {
    hit: ["mshta http:x"],
    pass: ["mshta list"],
  },
});
