import { program } from "../../program.ts";

export default program({
  names: ["ctr"],
  kind: "destroy-container-data",
  service: true,
  values: "n namespace a address",
  rules: [["c|containers|snapshots rm|delete", "removes {}"], ["i|image|images rm|delete"]],
  examples: {
    hit: ["ctr c rm web"],
    pass: ["ctr i rm"],
  },
});
