import { program } from "../../program.ts";

export default program({
  names: ["balena"],
  kind: "format-device",
  service: true,
  rules: [["local flash", "writes over a disk"]],
  examples: {
    hit: ["balena local flash"],
    pass: ["balena list"],
  },
});
