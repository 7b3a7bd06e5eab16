import type { Command, Word } from "../../shell/command.ts";
import type { Effect, Scene } from "../effect.ts";
import { lineIndex } from "../line/line-index.ts";
import { succeededBefore } from "../line/succeeded.ts";
import { has, type LooseReading, readLoosely, valuesOf } from "../loose-options.ts";
import { isFresh, launched, settings, sureText } from "./created-databases.ts";

/** Two forms of a tool: one creates a resource and fails if its name is taken, the other removes it. */
interface Pair {
  readonly makes: string;
  readonly loses: string;
  /** The options that hold the name at creation, and at removal. */
  readonly option?: string;
  readonly lostOption?: string;
  /** Operands before the name at creation. */
  readonly skip?: number;
  /** A trial on this machine: a name that the line gives itself is taken to be a new one, even if making it failed. */
  readonly isTrial?: true;
  /** Creation succeeds if it exists already, so that only a name for a trial proves that it is new. */
  readonly mayExist?: true;
}

const APPS: readonly Pair[] = [{ makes: "apps create", loses: "apps destroy" }];
const CONTAINERS: readonly Pair[] = [{ makes: "launch|init", loses: "delete|rm", skip: 1 }];
const NAMESPACES: readonly Pair[] = [{ makes: "create namespace|ns", loses: "delete namespace|namespaces|ns" }];

/** A container is removed with its data, and no second one of the same name can be started. */
const DOCKER: readonly Pair[] = [
  { makes: "run|create", loses: "rm", option: "name", isTrial: true },
  { makes: "container run|create", loses: "container rm|remove", option: "name", isTrial: true },
  { makes: "run|create", loses: "container rm|remove", option: "name", isTrial: true },
  { makes: "volume create", loses: "volume rm|remove", mayExist: true },
];

const PAIRS: Readonly<Record<string, readonly Pair[]>> = {
  kind: [{ makes: "create cluster", loses: "delete cluster", option: "name n", lostOption: "name n", isTrial: true }],
  k3d: [{ makes: "cluster create", loses: "cluster delete|del|rm", isTrial: true }],
  docker: DOCKER,
  podman: DOCKER,
  nerdctl: DOCKER,
  kubectl: NAMESPACES,
  oc: NAMESPACES,
  eksctl: [{ makes: "create cluster", loses: "delete cluster", option: "name n", lostOption: "name n" }],
  gcloud: [{ makes: "container clusters create", loses: "container clusters delete|remove" }],
  turso: [{ makes: "db create", loses: "db destroy" }],
  pscale: [{ makes: "branch create", loses: "branch delete" }],
  fly: APPS,
  flyctl: APPS,
  multipass: [{ makes: "launch", loses: "delete", option: "name n" }],
  limactl: [{ makes: "create", loses: "delete|rm", option: "name" }],
  lxc: CONTAINERS,
  incus: CONTAINERS,
};

const VALUES =
  "name n context kube-context kubeconfig cluster server s project zone region location account profile org o config agents image timeout a app";
/** Options that do not identify the resource. */
const HOW = new Set(
  "v volumes fv vf yes y force f quiet q purge p wait timeout grace-period ignore-not-found now".split(" "),
);
/** Options that locate the resource: they must be equal at creation and removal. */
const WHERE = "context kube-context kubeconfig cluster server s project zone region location account profile org o";
const LEADS = /^(?:KUBE|AWS|CLOUDSDK|GOOGLE|FLY|TURSO|DOCKER|LX[CD]|INCUS|PLANETSCALE)/;
/** Names of resources for a trial. */
const TRIAL_NAME = /(?:^|[-_.])(?:te?mp|test(?:s|ing)?|scratch|trial|throwaway|e2e|ci)\d*(?:$|[-_.])/i;
const SWITCHES = /^(?:config|context|contexts|use-context|login|auth|switch|remote|org)$/;

/** Drops effects on resources that the line itself created. */
export function withoutCreatedByLine(
  effects: readonly Effect[],
  program: string,
  command: Command,
  { shell }: Scene,
): readonly Effect[] {
  const pairs = Object.hasOwn(PAIRS, program) ? PAIRS[program] : undefined;
  const end = lineIndex(shell).positions.get(command);
  if (!pairs || !end || effects.length === 0) return effects;
  const sure = new Set(succeededBefore(command, shell));
  const isCreated = pairs.some((pair) => {
    const lost = thing(command, pair.loses, pair.lostOption, 0);
    return (
      lost !== undefined &&
      shell.commands.slice(0, end).some((one, at) => {
        const made = one.program === command.program ? thing(one, pair.makes, pair.option, pair.skip ?? 0) : undefined;
        if (!made || !isSame(made, lost) || launched(one) !== launched(command) || settings(one) !== settings(command))
          return false;
        const isSure = sure.has(one) && (!pair.mayExist || TRIAL_NAME.test(made.name));
        const isNew = isSure || made.isFresh || (pair.isTrial === true && made.name !== "");
        return isNew && !shell.commands.slice(at + 1, end).some(leadsElsewhere);
      })
    );
  });
  return isCreated ? [] : effects;
}

interface Thing {
  readonly name: string;
  readonly isFresh: boolean;
  readonly reading: LooseReading;
}

function thing(command: Command, form: string, option: string | undefined, skip: number): Thing | undefined {
  const reading = readLoosely(command.argv.slice(1), VALUES);
  const verbs = form.split(" ");
  if (has(reading, "help h dry-run")) return undefined;
  if (!verbs.every((verb, at) => verb.split("|").includes(reading.operands[at]?.text ?? ""))) return undefined;
  const words = option ? valuesOf(reading, option) : reading.operands.slice(verbs.length + skip);
  const name = nameOf(words);
  // Without its option a tool has one name for all.
  if (name === undefined || (name === "" && !option)) return undefined;
  return { name, isFresh: words.length > 0 && words.every(isFresh), reading };
}

function nameOf(words: readonly Word[]): string | undefined {
  const texts = words.map(sureText);
  return texts.includes(undefined) ? undefined : texts.join(" ");
}

function isSame(made: Thing, lost: Thing): boolean {
  if (made.name !== lost.name) return false;
  const names = [...lost.reading.given.keys()].filter((name) => !HOW.has(name));
  return [...names, ...WHERE.split(" ")].every((name) => {
    const [one, other] = [made, lost].map(({ reading }) =>
      reading.given
        .get(name)
        ?.map((word) => word?.text)
        .join(),
    );
    return one === other;
  });
}

/** After this command the same words may mean another machine or account. */
function leadsElsewhere({ program = "", argv, args, assignments }: Command): boolean {
  if (
    /^kube(?:ctx|ns)$/.test(program) ||
    (Object.hasOwn(PAIRS, program) && args.some((arg) => SWITCHES.test(arg ?? "")))
  )
    return true;
  const isExport = /^(?:export|declare|typeset|readonly|source|\.|eval)$/.test(program);
  if (isExport) return argv.slice(1).some(({ text }) => LEADS.test(text)) || /^(?:source|\.|eval)$/.test(program);
  return argv.length === 0 && assignments.some(({ name }) => LEADS.test(name));
}
