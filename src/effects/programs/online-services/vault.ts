import { program } from "../../program.ts";

export default program({
  names: ["vault"],
  kind: "destroy-infrastructure",
  service: true,
  values: "address namespace mount versions",
  rules: [
    ["delete", "deletes the secret {}"],
    ["kv destroy|delete", "deletes the secret {}"],
    ["* metadata delete", "deletes every version of the secret {}"],
    ["secrets|auth disable", "removes {} with every secret in it"],
    ["namespace|policy delete", "deletes {}"],
    ["lease revoke", "revokes every secret under {}", { needs: "prefix force" }],
    ["operator raft remove-peer", "removes {} from the cluster"],
  ],
  examples: {
    hit: [
      "vault delete secret/app",
      "vault kv destroy -versions=1 secret/app",
      "vault kv metadata delete secret/app",
      "vault secrets disable kv/",
      "vault lease revoke -prefix aws/creds",
      "vault operator raft remove-peer node3",
      "vault namespace delete web",
    ],
    pass: [
      "vault read secret/app",
      "vault kv get secret/app",
      "vault lease revoke aws/creds/web/1",
      "vault operator raft list-peers",
    ],
  },
});
