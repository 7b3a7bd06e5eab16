import { program } from "../../program.ts";

export default program({
  names: ["ceph"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["osd pool delete|rm", "deletes the pool {}"],
    ["osd purge|destroy|rm|lost", "removes the disk {}"],
    ["fs|orch rm|rm-cluster", "removes {}"],
    ["fs volume|subvolume rm", "removes {}"],
  ],
  examples: {
    hit: ["ceph osd pool delete web", "ceph osd purge web", "ceph fs rm web", "ceph fs volume rm web"],
    pass: ["ceph osd tree"],
  },
});
