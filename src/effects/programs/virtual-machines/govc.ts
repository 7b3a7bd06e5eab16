import { program } from "../../program.ts";

export default program({
  names: ["govc"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    [
      "vm.destroy|datastore.rm|snapshot.remove|pool.destroy|cluster.rm|object.destroy|folder.destroy|host.remove",
      "destroys {}",
    ],
  ],
  examples: {
    hit: ["govc vm.destroy web"],
    pass: ["govc vm.info web"],
  },
});
