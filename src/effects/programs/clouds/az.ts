import { program } from "../../program.ts";
import { azScripts } from "./az-scripts.ts";

export default program({
  names: ["az"],
  kind: "destroy-infrastructure",
  service: true,
  values: "subscription g resource-group n name o output query account-name mode f template-file",
  dry: "dryrun dry-run what-if",
  rules: [
    ["config|configure|account|cache|extension|alias **"],
    ["tag delete"],
    ["deployment group create", "deletes what the template does not name", { needs: "mode=Complete" }],
    ["** list|show|create|what-if **"],
    ["** delete|purge|delete-batch", "deletes {}"],
    ["storage remove", "deletes blobs or files"],
    ["storage sync", "deletes what the source does not have", { needs: "delete-destination" }],
  ],
  shell: [
    { after: "aks command invoke", option: "c command" },
    { after: "container exec", option: "exec-command" },
  ],
  also: azScripts,
  examples: {
    hit: [
      "az group delete --name rg --yes",
      "az group delete -n rg --no-wait -y",
      "az vm delete -g rg -n vm",
      "az sql db delete -g rg -s s -n db --yes",
      "az storage account delete -n a",
      "az storage blob delete-batch -s c",
      "az keyvault purge --name kv",
      "az aks delete -n c -g rg",
      "az resource delete --ids x",
      "az vm run-command invoke --scripts 'rm -rf /srv/data'",
      "az deployment group create --mode=Complete",
      "az storage remove",
      "az storage sync --delete-destination",
      "az aks command invoke -c 'rm -rf /srv/data'",
      "az container exec --exec-command='rm -rf /srv/data'",
    ],
    pass: [
      "az group list",
      "az group show -n rg",
      "az vm deallocate -n vm",
      "az vm delete --help",
      "az deployment group what-if -g rg",
      'az vm run-command invoke -g rg -n vm --command-id RunShellScript --scripts "df -h"',
      "az vm run-command invoke --scripts uptime",
      "az config",
      "az tag delete",
    ],
  },
});
