import { program } from "../../program.ts";

export default program({
  names: ["bcdedit"],
  kind: "format-device",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["**", "removes a boot entry of the machine", { needs: "delete deletevalue import" }]],
  examples: {
    hit: ["bcdedit /delete"],
    pass: ["bcdedit /enum"],
  },
});
