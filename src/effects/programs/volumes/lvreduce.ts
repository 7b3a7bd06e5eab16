import { program } from "../../program.ts";

export default program({
  names: ["lvreduce"],
  kind: "format-device",
  service: true,
  values: "L size l extents",
  dry: "test t resizefs r",
  rules: [["*", "shrinks {}, which deletes the data at its end"]],
  examples: {
    hit: ["lvreduce web web"],
    pass: ["lvreduce web web --test"],
  },
});
