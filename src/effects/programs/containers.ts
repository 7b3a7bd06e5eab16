import { posix } from "node:path";
import type { Command, Word } from "../../shell/command.ts";
import { readOptions } from "../../shell/options.ts";
import { hostShell, isBareShell } from "../across-commands/given-shells.ts";
import { type Effect, effect, type Family, type Scene, SETTLED } from "../effect.ts";
import { quotedWords } from "../line/line-text.ts";
import { has, named, type Rule, readLoosely, type Tool, toolEffects, toolFamily, valuesOf } from "../tool.ts";

const GLOBAL = "H host c context l log-level config namespace n address";
const VOLUMES = "removes volumes with their data";
const LOOK = "list what it would remove first";

/** Images and build caches can be fetched or built again, networks too; what containers wrote cannot. */
const ENGINE: Tool = {
  kind: "destroy-container-data",
  values: `${GLOBAL} filter t time`,
  rules: [
    ["system prune", "removes stopped containers, and volumes with their data", { needs: "volumes", instead: LOOK }],
    ["system prune", "removes stopped containers and what they wrote", { instead: LOOK }],
    ["system reset", "removes every container, image and volume"],
    ["volume rm|remove", "removes every volume with its data", { needs: "a all" }],
    ["volume rm|remove", "removes the volume {} with its data", { named: true }],
    ["volume prune", VOLUMES],
    ["container prune", "removes stopped containers and what they wrote"],
    ["pod rm|prune", "removes pods and what they wrote", { needs: "f force a all" }],
    [
      "swarm leave",
      "leaves the swarm; if this is its last manager, the state of the swarm is lost",
      { kind: "destroy-infrastructure", needs: "f force" },
    ],
    ["stack|service rm|remove|down", "removes {} from the swarm", { kind: "destroy-infrastructure" }],
    ["machine rm", "removes the machine {}", { kind: "destroy-infrastructure" }],
    ["node|secret|config rm|remove", "removes {} from the swarm", { kind: "destroy-infrastructure" }],
  ],
};
const COMPOSE_GLOBAL = {
  short: "f:p:",
  long: "file: project-name: profile: env-file: project-directory: parallel: progress: ansi: compatibility dry-run verbose",
};
const COMPOSE: Tool = {
  kind: "destroy-container-data",
  values: "t timeout",
  rules: [
    ["down", VOLUMES, { needs: "v volumes", instead: "run it without the option that removes volumes" }],
    ["rm", VOLUMES, { needs: "v volumes" }],
  ],
};

function engine(command: Command, scene: Scene): readonly Effect[] {
  const words = command.argv.slice(1);
  const { operands } = readOptions(
    words,
    { short: "c:DH:l:v", long: "config: context: host: log-level: debug tls" },
    false,
  );
  const [verb, ...rest] =
    operands[0]?.text === "container" && operands[1]?.text !== "prune" ? operands.slice(1) : operands;
  if (verb?.text === "compose") return compose(rest, command);
  if (verb?.text === "run") return runInMounts(rest, command, scene);
  const images = verb?.text === "image" && rest[0]?.text === "rm";
  const removes = images ? removed("rmi", rest.slice(1), command) : removed(verb?.text ?? "", rest, command);
  return removes ? [removes] : toolFamily(ENGINE)(command, scene);
}

function compose(words: readonly Word[], command: Command): readonly Effect[] {
  const { operands, given } = readOptions(words, COMPOSE_GLOBAL, false);
  return given.has("dry-run") ? [] : toolEffects(COMPOSE, command, operands);
}

/** `rm`, `rmi` and `kill`: one by its name is everyday work, all that a list brings is not. */
function removed(verb: string, words: readonly Word[], command: Command): Effect | undefined {
  const { given, operands } = readLoosely(words, "s signal t time");
  const all = has({ given }, "a all") || operands.some((word) => word.many && /^$|\$\(|`/.test(word.text));
  const force = has({ given }, "f force");
  if (verb === "rm" && (has({ given }, "v volumes") || all))
    return effect("destroy-container-data", command, "removes containers and what they wrote", {
      target: operands.map(({ text }) => text).join(" "),
    });
  if (verb === "rmi" && force && all)
    return effect("destroy-container-data", command, "removes every image, also those made here");
  if (verb === "kill" && all) return effect("kill-everything", command, "kills every container");
  return undefined;
}

const RUN = {
  short: "dPqita:c:e:h:l:m:p:u:v:w:",
  long: "rm detach interactive tty privileged init read-only volume: mount: workdir: env: env-file: name: user: network: net: publish: entrypoint: platform: memory: cpus: hostname: label: add-host: cap-add: device: gpus: ipc: pid: pull: restart: security-opt: shm-size: tmpfs: ulimit: userns: volumes-from: link: log-driver: log-opt: dns:",
};
/** What happens to files inside a container only matters where they are files of this machine. */
const FILES =
  /^(?:delete-tree|delete-file|overwrite|truncate|permission-blast|format-device|kill-everything|fork-bomb)$/;

function runInMounts(words: readonly Word[], command: Command, scene: Scene): readonly Effect[] {
  const options = readOptions(words, RUN, false);
  const [, ...all] = options.operands;
  const entry = valuesOf(options, "entrypoint");
  const { inner, root } = entered(all);
  const mounts = [
    ...(root === "host" ? [{ from: "/", to: "/", volume: false }] : []),
    ...valuesOf(options, "v volume").map(bound),
    ...valuesOf(options, "mount").map(mounted),
  ].filter((one) => one !== undefined);
  if (isBareShell(inner) && mounts.some(({ from, to }) => from === "/" && to === root)) return [hostShell(command)];
  if (inner.length === 0) return [];
  const workdir = valuesOf(options, "w workdir")[0]?.text ?? "/";
  const inside = { ...command, cwd: workdir, cwds: [workdir] };
  return scene.nested(quotedWords([...entry, ...inner]), inside).flatMap((one) => {
    const own = { ...one, by: command };
    if (!FILES.test(one.kind)) return [own];
    const seen = one.path ?? one.inside;
    const place = seen !== undefined && root.startsWith("/") ? posix.join(root, seen) : seen;
    const mount = mounts.find(
      ({ to }) => place !== undefined && (place === to || place.startsWith(`${to === "/" ? "" : to}/`)),
    );
    if (!mount || place === undefined) return [];
    // No folder of this machine, but data that stays.
    if (mount.volume) return one.ifExists ? [] : [{ ...one, target: place, by: { ...command, remote: true } }];
    const onHost = (inside: string): string => posix.join(mount.from, inside.slice(mount.to.length));
    const whole = (inside: string): string => posix.resolve(scene.cwd, command.cwd ?? ".", onHost(inside));
    return [
      {
        ...own,
        target: onHost(place),
        ...(one.path !== undefined ? { path: whole(place) } : { inside: whole(place) }),
        ...(one.pattern?.startsWith(place) && { pattern: whole(one.pattern) }),
        ...(one.mask?.startsWith(place) && { mask: whole(one.mask) }),
      },
    ];
  });
}

/** `chroot /host …` and `nsenter -t 1 …` go to another root: what it is, and what is started there. */
function entered(words: readonly Word[]): { readonly inner: readonly Word[]; readonly root: string } {
  const [program, first] = words.map(({ text }) => text);
  if (program === "chroot" && first?.startsWith("/")) return { inner: words.slice(2), root: first };
  if (program !== "nsenter") return { inner: words, root: "" };
  const { given, operands } = readOptions(words.slice(1), NSENTER, false);
  const isHost = valuesOf({ given }, "t target").some(({ text }) => text === "1");
  return isHost ? { inner: operands, root: "host" } : { inner: words, root: "" };
}

const NSENTER = {
  short: "at:m::u::i::n::p::U::C::T::r::w::F",
  long: "all target: mount:: uts:: ipc:: net:: pid:: user:: cgroup:: time:: root:: wd:: no-fork",
};

interface Mount {
  /** A path of this machine, or the name of a volume. */
  readonly from: string;
  readonly volume: boolean;
  readonly to: string;
}

/** `-v from:to`: a path is a folder of this machine, a plain name is a volume. */
function bound(word: Word): Mount | undefined {
  const [from = "", to, mode] = word.text.split(":");
  if (to === undefined || mode?.split(",").includes("ro")) return undefined;
  return { from, to, volume: !/^[./~$`]/.test(from) };
}

function mounted(word: Word): Mount | undefined {
  const parts = new Map(
    word.text.split(",").map((part): [string, string] => [part.split("=")[0] ?? "", part.split("=")[1] ?? ""]),
  );
  const from = parts.get("source") ?? parts.get("src");
  const to = parts.get("target") ?? parts.get("dst") ?? parts.get("destination");
  const type = parts.get("type") ?? "volume";
  if (!/^(?:bind|volume)$/.test(type) || !from || !to || parts.has("readonly") || parts.has("ro")) return undefined;
  return { from, to, volume: type === "volume" };
}

const infrastructure = (rules: readonly Rule[], more: Partial<Tool> = {}): Family =>
  toolFamily({ kind: "destroy-infrastructure", rules, ...more });

const KUBECTL: Tool = {
  kind: "destroy-infrastructure",
  values:
    "n namespace context kubeconfig cluster user s server token as f filename k kustomize l selector field-selector grace-period timeout o output replicas",
  dry: "dry-run",
  rules: [
    ["delete pod|pods|po", "deletes many pods at once", { needs: "all force A all-namespaces l selector" }],
    // A controller starts a single pod again.
    ["delete pod|pods|po"],
    ["delete event|events|ev|lease|leases"],
    ["delete", "deletes {} from the cluster", { instead: "run it with --dry-run=client first" }],
    ["replace", "deletes and recreates what it replaces", { needs: "force" }],
    ["apply", "deletes what the files no longer name", { needs: "prune" }],
    [
      "drain",
      "moves everything off the node {} and deletes its local data",
      { needs: "force delete-emptydir-data delete-local-data" },
    ],
  ],
};

const kubectl: Family = (command, scene) => {
  const found = toolFamily(KUBECTL)(command, scene);
  const pods = readLoosely(command.argv.slice(1), KUBECTL.values).operands[1]?.text ?? "";
  // delete pod/web-1
  return /^po(?:d|ds)?\/[^,]+$/.test(pods) && !command.args.some((arg) => arg === "--force" || arg === "--all")
    ? SETTLED
    : found;
};

export const CONTAINERS: Readonly<Record<string, Family>> = {
  ...named("docker podman nerdctl", engine),
  ...named("docker-compose podman-compose", (command) => compose(command.argv.slice(1), command)),
  ...named("kubectl oc k kubecolor microk8s.kubectl", kubectl),
  helm: infrastructure([["uninstall|delete|del|un", "uninstalls {}"]], {
    values: "n namespace kube-context kubeconfig timeout",
    dry: "dry-run",
  }),
  helmfile: infrastructure([["destroy|delete", "uninstalls every release"]], {
    values: "e environment f file l selector n namespace",
  }),
  minikube: infrastructure([["delete", "deletes the local cluster"]], { values: "p profile" }),
  kind: infrastructure([["delete cluster|clusters", "deletes the local cluster {}"]], { values: "name" }),
  k3d: infrastructure([["cluster|node|registry delete|del|rm", "deletes {}"]]),
  kubeadm: infrastructure([["reset", "removes this machine from its cluster"]], { dry: "dry-run" }),
  kops: infrastructure([["delete cluster|ig|instance", "deletes {}", { needs: "yes y" }]], { values: "name state" }),
  ...named("talosctl k0s microk8s", infrastructure([["reset", "wipes the cluster's state"]])),
  rke: infrastructure([["remove", "removes the cluster"]], { values: "config" }),
  crictl: toolFamily({
    kind: "destroy-container-data",
    rules: [["rm|rmp", "removes containers", { needs: "a all f force" }]],
  }),
  ctr: toolFamily({
    kind: "destroy-container-data",
    values: "n namespace a address",
    rules: [["c|containers|snapshots rm|delete", "removes {}"], ["i|image|images rm|delete"]],
  }),
  argocd: infrastructure(
    [
      ["app|appset|cluster|proj delete|rm", "deletes {}"],
      ["app sync", "deletes what the repository no longer names", { needs: "prune" }],
    ],
    { dry: "dry-run" },
  ),
  flux: infrastructure(
    [
      ["uninstall", "uninstalls flux and what it keeps"],
      ["delete", "deletes {}"],
    ],
    { dry: "dry-run", values: "n namespace" },
  ),
  istioctl: infrastructure(
    [
      ["uninstall", "uninstalls the mesh"],
      ["x|experimental uninstall", "uninstalls the mesh"],
    ],
    { dry: "dry-run" },
  ),
  velero: infrastructure(
    [
      ["backup|schedule|restore delete", "deletes backups"],
      ["uninstall", "uninstalls velero"],
    ],
    { values: "n namespace" },
  ),
  nomad: infrastructure([
    ["job stop", "stops the job {} and deletes its record", { needs: "purge" }],
    ["namespace|volume delete", "deletes {}"],
  ]),
  skaffold: infrastructure([["delete", "deletes what was deployed"]], { dry: "dry-run" }),
  vagrant: infrastructure([["destroy", "destroys the machine {}"], ["box remove"]]),
  multipass: infrastructure([
    ["delete", "deletes the machine {}", { needs: "p purge all" }],
    ["purge", "purges deleted machines"],
  ]),
  ...named(
    "lxc incus",
    infrastructure([
      ["delete|rm", "deletes {}"],
      ["storage volume delete|rm", "deletes {}"],
    ]),
  ),
  virsh: infrastructure(
    [
      ["undefine", "removes the machine {} with its disks", { needs: "remove-all-storage storage" }],
      ["vol-delete|pool-delete|vol-wipe|snapshot-delete", "deletes {}"],
    ],
    { values: "c connect" },
  ),
  VBoxManage: infrastructure([["unregistervm", "removes the machine {} with its disks", { needs: "delete" }]]),
  ...named("colima limactl orb orbctl", infrastructure([["delete|rm|reset", "deletes the machine {}"]])),
  "docker-machine": infrastructure([["rm", "removes the machine {}"]]),
  ...named("qm pct", infrastructure([["destroy", "destroys the machine {}"]])),
  "k3s-uninstall.sh": (command) => [effect("destroy-infrastructure", command, "uninstalls the cluster with its data")],
};
