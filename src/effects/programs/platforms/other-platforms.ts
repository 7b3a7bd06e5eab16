import { program } from "../../program.ts";

/** Platforms whose tools say `thing delete` or `thing:delete`. */
export default program({
  names: [
    "scalingo",
    "gigalixir",
    "terminus",
    "platform",
    "upsun",
    "magento-cloud",
    "clever",
    "acli",
    "render",
    "pantheon",
  ],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["*:delete|*:destroy|*-destroy|*-delete|*:wipe", "deletes {}"],
    ["delete", "deletes the app {}"],
    ["* delete|destroy", "deletes {}"],
  ],
  examples: {
    hit: ["scalingo web:delete web", "scalingo delete web", "scalingo web delete web"],
    pass: ["scalingo apps"],
  },
});
