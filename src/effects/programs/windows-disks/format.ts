import { program } from "../../program.ts";

export default program({
  names: ["format"],
  kind: "format-device",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["a:|b:|c:|d:|e:|f:|g:|h:|i:|j:|k:|l:|m:|n:|o:|p:|q:|r:|s:|t:|u:|v:|w:|x:|y:|z:", "formats a disk"]],
  examples: {
    hit: ["format a:"],
    pass: ["format list"],
  },
});
