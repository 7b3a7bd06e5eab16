import { program } from "../../program.ts";

export default program({
  names: ["dsh"],
  kind: "destroy-infrastructure",
  exempt: "they take options and files, no subcommands",
  values: "t targets u user g group m machine x P",
  shell: [{ remote: true }],
  examples: {
    hit: ["dsh 'rm -rf /srv/data'"],
    pass: ["dsh -g web uptime"],
  },
});
