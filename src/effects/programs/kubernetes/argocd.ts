import { program } from "../../program.ts";

export default program({
  names: ["argocd"],
  kind: "destroy-infrastructure",
  service: true,
  dry: "dry-run",
  rules: [
    ["app|appset|cluster|proj delete|rm", "deletes {}"],
    ["app sync", "deletes what the repository no longer names", { needs: "prune" }],
  ],
  examples: {
    hit: ["argocd app delete web --yes", "argocd app sync web --prune"],
    pass: ["argocd app list", "argocd app sync web", "argocd app sync web --prune --dry-run"],
  },
});
