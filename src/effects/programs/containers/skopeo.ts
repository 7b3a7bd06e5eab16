import { program } from "../../program.ts";

export default program({
  names: ["skopeo"],
  kind: "publish",
  values:
    "src-creds dest-creds authfile src-authfile dest-authfile src-cert-dir dest-cert-dir f format override-os override-arch",
  rules: [["copy * docker://*", "pushes an image to a registry"]],
  examples: {
    hit: ["skopeo copy web docker://x"],
    pass: ["skopeo inspect docker://r/x"],
  },
});
