import { program } from "../../program.ts";

export default program({
  names: ["certbot"],
  kind: "delete-tree",
  values: "cert-name cert-path d domain domains reason",
  rules: [["delete|revoke", "deletes or revokes the certificate {}", { unless: "dry-run" }]],
  examples: {
    hit: ["certbot delete web"],
    pass: ["certbot delete web --dry-run"],
  },
});
