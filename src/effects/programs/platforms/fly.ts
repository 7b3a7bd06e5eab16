import { program } from "../../program.ts";

export default program({
  names: ["fly", "flyctl"],
  kind: "destroy-infrastructure",
  service: true,
  values: "a app c config",
  rules: [
    ["apps|machine|machines|m|volumes|volume|vol|mpg|redis|storage destroy|delete|rm|remove", "destroys {}"],
    ["destroy", "destroys the app {}"],
    ["secrets unset", "deletes the secrets {}"],
  ],
  shell: [{ after: "ssh console", option: "C command" }],
  examples: {
    hit: [
      "fly apps destroy app -y",
      "flyctl apps destroy app",
      "fly volumes destroy vol_1",
      "fly secrets unset DATABASE_URL",
      "fly destroy web",
      "fly ssh console -C 'rm -rf /srv/data'",
    ],
    pass: ["fly deploy", "fly status", "fly apps list", "fly logs", "fly secrets list"],
  },
});
