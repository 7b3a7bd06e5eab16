import { program } from "../../program.ts";

export default program({
  names: ["couchbase-cli"],
  kind: "destroy-database",
  service: true,
  values: "c cluster u username p password bucket",
  rules: [
    [
      "bucket-delete|bucket-flush|scope-delete|collection-manage",
      "removes data of a bucket",
      { unless: "create-collection list-collections" },
    ],
  ],
  examples: {
    hit: ["couchbase-cli bucket-delete"],
    pass: ["couchbase-cli bucket-delete --create-collection"],
  },
});
