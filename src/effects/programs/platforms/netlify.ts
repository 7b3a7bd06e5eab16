import { program } from "../../program.ts";

export default program({
  names: ["netlify", "ntl"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["sites:delete", "deletes the site {}"],
    ["blobs:delete", "deletes {}"],
    ["api delete*", "deletes what it names"],
  ],
  examples: {
    hit: [
      "netlify sites:delete id --force",
      'netlify api deleteSite --data \'{"site_id":"x"}\'',
      "netlify blobs:delete web",
    ],
    pass: ["netlify deploy --prod", "netlify sites:list", "netlify status", "netlify api listSites"],
  },
});
