import { program } from "../../program.ts";

export default program({
  names: ["cloudflared"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["tunnel delete", "deletes the tunnel {}"]],
  examples: {
    hit: ["cloudflared tunnel delete web"],
    pass: ["cloudflared tunnel list"],
  },
});
