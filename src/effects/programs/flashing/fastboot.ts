import { program } from "../../program.ts";

export default program({
  names: ["fastboot"],
  kind: "format-device",
  service: true,
  values: "s",
  rules: [
    ["erase", "erases the partition {}"],
    ["format|format:*", "formats the partition {}"],
    ["flashing|oem lock|unlock|lock_critical|unlock_critical", "wipes the phone"],
    ["**", "wipes the phone", { needs: "w" }],
  ],
  examples: {
    hit: ["fastboot erase web", "fastboot format web", "fastboot flashing lock", "fastboot -w"],
    pass: ["fastboot devices"],
  },
});
