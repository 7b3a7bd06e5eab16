import { program } from "../../program.ts";

export default program({
  names: ["pulsar-admin"],
  kind: "destroy-database",
  service: true,
  rules: [["topics|namespaces|tenants delete", "deletes {}"]],
  examples: {
    hit: ["pulsar-admin topics delete web"],
    pass: ["pulsar-admin topics list public/default"],
  },
});
