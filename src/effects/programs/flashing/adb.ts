import { program } from "../../program.ts";

export default program({
  names: ["adb"],
  kind: "format-device",
  service: true,
  values: "s t",
  rules: [
    ["uninstall", "removes the app {} with its data", { unless: "k" }],
    ["shell wipe", "wipes the phone"],
  ],
  examples: {
    hit: ["adb shell wipe data", "adb uninstall web"],
    pass: ["adb uninstall web -k"],
  },
});
