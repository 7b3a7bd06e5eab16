import { program } from "../../program.ts";

export default program({
  names: ["helm"],
  kind: "destroy-infrastructure",
  service: true,
  values: "n namespace kube-context kubeconfig timeout",
  dry: "dry-run",
  rules: [
    ["uninstall|delete|del|un", "uninstalls {}"],
    ["push", "pushes a chart to a registry", { kind: "publish" }],
  ],
  examples: {
    hit: [
      "helm uninstall web",
      "helm delete web --purge",
      "helm -n prod uninstall web",
      "helm push chart.tgz oci://r",
      "helm push a.tgz oci://registry.example.com/charts",
    ],
    pass: [
      "helm install x --version 1.2 chart",
      "helm list",
      "helm uninstall web --dry-run",
      "helm upgrade --install web ./chart",
      "helm template ./chart",
      "helm rollback web 1",
      "helm repo remove stable",
      "helm history web",
      "helm package chart",
      "helm package ./chart",
      "helm push a.tgz oci://localhost:5000/charts",
    ],
  },
});
