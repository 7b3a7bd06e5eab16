import { type Command, knownText, knownWord } from "../../shell/command.ts";
import { effect, type Family, type Scene } from "../effect.ts";
import { earlierOf, lineIndex } from "../line/line-index.ts";
import { has, named, type Rule, readLoosely, type Tool, toolFamily, valuesOf } from "../tool.ts";

const PLAN = "look at a plan of the changes first";
const cloud = (rules: readonly Rule[], more: Partial<Tool> = {}): Family =>
  toolFamily({ kind: "destroy-infrastructure", rules, ...more });

const TERRAFORM = cloud(
  [
    [
      "destroy",
      "destroys everything that this configuration made",
      { instead: "run plan with -destroy first to list what would be destroyed" },
    ],
    ["apply", "destroys everything that this configuration made", { needs: "destroy", instead: PLAN }],
    // A saved plan was there to be read.
    ["apply *"],
    ["apply", "changes and destroys without asking", { needs: "auto-approve", instead: PLAN }],
    ["state rm", "removes {} from the state, so that it keeps running but is no longer managed"],
    ["workspace delete", "deletes the workspace {} with its state"],
    ["state push", "replaces the state of what runs", { needs: "force" }],
  ],
  { values: "target var var-file" },
);
const TERRAGRUNT = cloud([
  ["run-all|run|stack destroy", "destroys every unit"],
  ["stack run destroy", "destroys every unit"],
  ["destroy|destroy-all", "destroys everything that this configuration made"],
  ["apply|run-all|run apply", "destroys what the configuration made", { needs: "destroy" }],
  ["apply", "changes and destroys without asking", { needs: "auto-approve", instead: PLAN }],
  [
    "run-all|run apply",
    "changes and destroys without asking",
    { needs: "auto-approve terragrunt-non-interactive non-interactive", instead: PLAN },
  ],
  ["state rm", "removes {} from the state"],
]);

/** Words that mean removal in command lines made of `group … verb`. */
const AWS_HARMLESS: readonly Rule[] = [
  ["** help"],
  ["* delete-tags|delete-item|delete-message|delete-message-batch|delete-bucket-tagging|delete-object-tagging"],
  ["* deregister-targets|deregister-task-definition|deregister-instances-from-load-balancer"],
];
const AWS = cloud(
  [
    ...AWS_HARMLESS,
    ["s3 rm", "deletes {}", { instead: "run it with --dryrun first" }],
    ["s3 rb", "removes the bucket {} with everything in it", { needs: "force" }],
    [
      "s3 sync|mirror",
      "deletes what the source does not have at {}",
      { needs: "delete", instead: "run it with --dryrun first" },
    ],
    ["kms schedule-key-deletion", "deletes a key, which makes all data encrypted with it unreadable"],
    ["organizations close-account|leave-organization|remove-account-*", "removes the account {}"],
    ["ec2 release-address", "releases the IP address"],
    ["ec2 cancel-spot-*", "terminates the fleet", { needs: "terminate-instances" }],
    ["* delete-*|terminate-*|purge-*|deregister-*|destroy-*|batch-delete-*", "deletes {}"],
  ],
  {
    values:
      "profile region output endpoint-url query color cli-read-timeout cli-connect-timeout ca-bundle stack-name instance-ids bucket key table-name db-instance-identifier function-name cluster name group-name user-name role-name policy-arn queue-url log-group-name",
    dry: "dry-run dryrun generate-cli-skeleton",
  },
);
const GCLOUD = cloud(
  [
    ["help"],
    ["config|components|topic **"],
    ["** list|describe|read|search **"],
    ["** storage rm", "deletes {}"],
    ["** storage rsync", "deletes what the source does not have", { needs: "delete-unmatched-destination-objects" }],
    ["** delete|destroy|purge|delete-instances|delete-access-config", "deletes {}"],
    ["** backups restore", "replaces the database with a backup"],
  ],
  {
    values: "project zone region account configuration format filter impersonate-service-account location",
    dry: "dry-run",
  },
);
const AZ = cloud(
  [
    ["config|configure|account|cache|extension|alias **"],
    ["tag delete"],
    ["deployment group create", "deletes what the template does not name", { needs: "mode=Complete" }],
    ["** list|show|create|what-if **"],
    ["** delete|purge|delete-batch", "deletes {}"],
    ["storage remove", "deletes blobs or files"],
    ["storage sync", "deletes what the source does not have", { needs: "delete-destination" }],
  ],
  {
    values: "subscription g resource-group n name o output query account-name mode f template-file",
    dry: "dryrun dry-run what-if",
  },
);
const RCLONE = cloud(
  [
    ["delete|purge|deletefile", "deletes {}", { instead: "run it with --dry-run first" }],
    [
      "sync",
      "deletes at the target what the source does not have: {}",
      { unless: "backup-dir", instead: "use copy, or run it with --dry-run first" },
    ],
    ["dedupe", "deletes files that look the same in {}", { unless: "interactive" }],
    ["cleanup", "empties the trash of {}"],
  ],
  {
    values: "config include exclude filter filter-from transfers checkers bwlimit log-file min-age max-age dedupe-mode",
    dry: "dry-run n interactive i",
  },
);
/** Tools that say `thing delete`. */
const DELETES = cloud(
  [
    ["help"],
    ["auth|config|configure|completion|context **"],
    ["** list|show|get|create|describe **"],
    ["** delete|destroy|rm|purge|terminate|*-delete|*-destroy|Delete*|Terminate*", "deletes {}"],
    ["server|linodes|instance|instances|droplet-action|compute rebuild", "replaces the system of {} with a new one"],
    ["** server rebuild|reinstall", "replaces the system of {} with a new one"],
  ],
  {
    values:
      "project region zone image context c config output o access-token t token p profile compartment-id label format",
    dry: "dry-run",
  },
);

/** `TF_CLI_ARGS` and `TF_CLI_ARGS_apply` hold words that follow the subcommand. */
function withVariables(command: Command, scene: Scene): Command {
  const verb = command.args.find((arg) => arg !== undefined && !arg.startsWith("-"));
  const index = lineIndex(scene.shell);
  const exported = earlierOf(index.exports, command, index).flatMap(({ args }) =>
    args.flatMap((arg): [string, string][] => {
      const [, name, text] = /^(TF_CLI_ARGS\w*)=(.*)$/s.exec(arg ?? "") ?? [];
      return name === undefined ? [] : [[name, text ?? ""]];
    }),
  );
  const own = command.assignments.map(({ name, value }): [string, string] => [name, "text" in value ? value.text : ""]);
  const more = [...exported, ...own].flatMap(([name, text]) =>
    name === "TF_CLI_ARGS" || name === `TF_CLI_ARGS_${verb}` ? text.split(/\s+/) : [],
  );
  const words = more.filter((text) => text !== "").map(knownWord);
  const at = command.args.indexOf(verb) + 1;
  if (words.length === 0 || at === 0) return command;
  const argv = [...command.argv.slice(0, at + 1), ...words, ...command.argv.slice(at + 1)];
  return { ...command, argv, args: argv.slice(1).map(knownText) };
}

/** `plan -destroy -out=x`, then `apply x`: the plan was made on this very line, so nobody has read it. */
function appliesDestroyPlan(command: Command, scene: Scene): boolean {
  const [verb, plan] = readLoosely(command.argv.slice(1), "target var var-file").operands;
  if (verb?.text !== "apply" || !plan) return false;
  return scene.shell.commands.some((one) => {
    if (one === command || (one.program !== "terraform" && one.program !== "tofu")) return false;
    const made = readLoosely(withVariables(one, scene).argv.slice(1), "target var var-file out");
    const isOut = valuesOf(made, "out").some(
      ({ text }) => text.replace(/^\.\//, "") === plan.text.replace(/^\.\//, ""),
    );
    return made.operands[0]?.text === "plan" && isOut && has(made, "destroy");
  });
}

const terraform: Family = (command, scene) => {
  const whole = withVariables(command, scene);
  const found = TERRAFORM(whole, scene);
  if (found.length > 0 || !appliesDestroyPlan(whole, scene)) return found;
  return [
    effect("destroy-infrastructure", command, "destroys everything that this configuration made", {
      target: "apply",
      instead: "let a person read the plan before it is applied",
    }),
  ];
};

export const CLOUDS: Readonly<Record<string, Family>> = {
  ...named("terraform tofu", terraform),
  terragrunt: TERRAGRUNT,
  cdktf: cloud([["destroy", "destroys the stack {}"]]),
  pulumi: cloud(
    [
      ["destroy|down|dn", "destroys everything in the stack", { instead: PLAN }],
      ["up|update", "changes and destroys without asking", { needs: "y yes", instead: PLAN }],
      ["stack rm", "removes the stack {} with its history"],
      ["state delete", "removes {} from the state"],
    ],
    { values: "s stack C cwd m message", dry: "preview-only preview" },
  ),
  aws: AWS,
  "aws-nuke": cloud([["**", "deletes everything in the account", { needs: "no-dry-run" }]]),
  "cloud-nuke": cloud([["aws|gcp", "deletes everything in the account"]], { dry: "dry-run" }),
  gcloud: GCLOUD,
  gsutil: cloud(
    [
      ["rm", "deletes {}"],
      ["rb", "removes the bucket {}"],
      ["rsync", "deletes what the source does not have at {}", { needs: "d", unless: "n" }],
    ],
    { values: "o h u" },
  ),
  az: AZ,
  azcopy: cloud(
    [
      ["remove|rm", "deletes {}"],
      ["sync", "deletes what the source does not have", { needs: "delete-destination" }],
    ],
    { dry: "dry-run" },
  ),
  rclone: RCLONE,
  ...named(
    "doctl hcloud linode-cli scw vultr-cli openstack oci ibmcloud civo exo ionosctl upctl aliyun tccli",
    DELETES,
  ),
  cdk: cloud([["destroy", "destroys the stack {}"]], { values: "profile c context a app" }),
  ...named(
    "serverless sls",
    cloud([["remove", "removes the service with its resources"]], { values: "s stage r region" }),
  ),
  sam: cloud([["delete", "deletes the stack"]], { values: "stack-name region profile" }),
  sst: cloud([["remove", "removes the app's resources"]], { values: "stage" }),
  eksctl: cloud([["delete", "deletes {}"], ["drain"]], { values: "f config-file region profile", dry: "dry-run" }),
  eb: cloud([["terminate", "terminates the environment {}"]]),
  copilot: cloud([["app|env|svc|job|pipeline delete", "deletes {}"]]),
  amplify: cloud([
    ["delete", "deletes the project's resources"],
    ["env remove", "removes the environment {}"],
  ]),
  ...named("zappa chalice", cloud([["undeploy|delete", "removes what was deployed"]])),
  vault: cloud(
    [
      ["delete", "deletes the secret {}"],
      ["kv destroy|delete", "deletes the secret {}"],
      ["* metadata delete", "deletes every version of the secret {}"],
      ["secrets|auth disable", "removes {} with every secret in it"],
      ["namespace|policy delete", "deletes {}"],
      ["lease revoke", "revokes every secret under {}", { needs: "prefix force" }],
      ["operator raft remove-peer", "removes {} from the cluster"],
    ],
    { values: "address namespace mount versions" },
  ),
  consul: cloud([
    ["kv delete", "deletes every key under {}", { needs: "recurse" }],
    ["snapshot restore", "replaces all stored data with {}"],
  ]),
  mc: cloud(
    [
      ["rm", "deletes everything under {}", { needs: "recursive r" }],
      ["rb", "removes the bucket {} with everything in it", { needs: "force" }],
      ["mirror", "deletes what the source does not have at {}", { needs: "remove" }],
    ],
    { dry: "dry-run fake" },
  ),
  s3cmd: cloud(
    [
      ["del|rm", "deletes {}"],
      ["rb", "removes the bucket {}"],
      ["sync", "deletes what the source does not have at {}", { needs: "delete-removed" }],
    ],
    { values: "c config access_key secret_key", dry: "dry-run n" },
  ),
  s5cmd: cloud(
    [
      ["rm|rb", "deletes {}"],
      ["sync", "deletes what the source does not have at {}", { needs: "delete" }],
    ],
    {
      values: "endpoint-url profile credentials-file numworkers",
      dry: "dry-run",
    },
  ),
  ...named(
    "b2 backblaze-b2",
    cloud(
      [
        ["rm|delete-bucket|delete-file-version", "deletes {}"],
        ["bucket|file delete", "deletes {}"],
        ["sync", "deletes what the source does not have at {}", { needs: "delete" }],
      ],
      { dry: "dry-run dryRun" },
    ),
  ),
  rancher: cloud([["** delete|rm|remove", "deletes {}"]]),
  tarsnap: cloud([["**", "deletes backups", { needs: "nuke d" }]], { values: "f keyfile", dry: "dry-run" }),
};
