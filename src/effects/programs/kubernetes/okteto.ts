import { program } from "../../program.ts";

export default program({
  names: ["okteto", "garden", "devspace"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["destroy|purge", "destroys the environment {}"],
    ["down", "removes the environment with its volumes", { needs: "v volumes" }],
    ["delete environment|env|namespace|deploy", "deletes {}"],
    ["namespace delete", "deletes {}"],
  ],
  examples: {
    hit: ["okteto destroy web", "okteto down -v", "okteto delete environment web", "okteto namespace delete web"],
    pass: ["okteto down"],
  },
});
