import { program } from "../../program.ts";

export default program({
  names: ["vercel", "now"],
  kind: "destroy-infrastructure",
  service: true,
  values: "t token S scope",
  rules: [
    ["rm|remove", "removes {}"],
    ["project|domains|dns|blob|env|certs rm|remove|del", "removes {}"],
  ],
  examples: {
    hit: ["vercel rm my-app --yes", "vercel remove my-app", "vercel env rm API_KEY production -y"],
    pass: ["vercel", "vercel --prod", "vercel ls", "vercel env ls production"],
  },
});
