import { program } from "../../program.ts";

export default program({
  names: ["etcdctl"],
  kind: "destroy-database",
  service: true,
  values: "endpoints cacert cert key user",
  rules: [
    ["del", "deletes every key that begins with {}", { needs: "prefix from-key" }],
    ["rm", "deletes the keys under {}", { needs: "recursive" }],
    ["member remove", "removes {} from the cluster"],
  ],
  examples: {
    hit: [
      'etcdctl del "" --prefix',
      "etcdctl del --prefix /registry",
      "etcdctl member remove 8e9e05c52164694d",
      "etcdctl rm web --recursive",
    ],
    pass: ["etcdctl get --prefix /", "etcdctl del /one/key", "etcdctl member list"],
  },
});
