import { program } from "../../program.ts";

export default program({
  names: ["bolt"],
  kind: "destroy-infrastructure",
  service: true,
  values: "t targets u user g group m machine x P",
  shell: [{ after: "** run", remote: true }],
  examples: {
    hit: ["bolt run 'rm -rf /srv/data'"],
    pass: ["bolt command run uptime -t web"],
  },
});
