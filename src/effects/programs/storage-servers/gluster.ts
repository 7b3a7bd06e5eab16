import { program } from "../../program.ts";

export default program({
  names: ["gluster"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["volume|snapshot delete|reset", "deletes {}"],
    ["volume remove-brick", "removes a brick of {}"],
  ],
  examples: {
    hit: ["gluster volume delete web", "gluster volume remove-brick web"],
    pass: ["gluster volume info data"],
  },
});
