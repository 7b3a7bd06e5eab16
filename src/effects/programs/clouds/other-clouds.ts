import { program } from "../../program.ts";

/** Clouds whose tools say `thing delete`. */
export default program({
  names: [
    "doctl",
    "hcloud",
    "linode-cli",
    "scw",
    "vultr-cli",
    "openstack",
    "oci",
    "ibmcloud",
    "civo",
    "exo",
    "ionosctl",
    "upctl",
    "aliyun",
    "tccli",
  ],
  kind: "destroy-infrastructure",
  service: true,
  values:
    "project region zone image context c config output o access-token t token p profile compartment-id label format",
  dry: "dry-run",
  rules: [
    ["help"],
    ["auth|config|configure|completion|context **"],
    ["** list|show|get|create|describe **"],
    ["** delete|destroy|rm|purge|terminate|*-delete|*-destroy|Delete*|Terminate*", "deletes {}"],
    ["server|linodes|instance|instances|droplet-action|compute rebuild", "replaces the system of {} with a new one"],
    ["** server rebuild|reinstall", "replaces the system of {} with a new one"],
  ],
  examples: {
    hit: [
      "doctl compute droplet delete web --force",
      "doctl databases delete id -f",
      "doctl kubernetes cluster delete c",
      "hcloud server delete web",
      "hcloud server rebuild web --image ubuntu-22.04",
      "ibmcloud resource service-instance-delete i -f",
      "ibmcloud is instance-delete i",
      "aliyun ecs DeleteInstance --InstanceId i",
      "doctl server reinstall web",
    ],
    pass: ["doctl compute droplet list", "hcloud server list", "hcloud server reboot web", "doctl help", "doctl auth"],
  },
});
