import type { Word } from "../command.ts";
import { hasOption, type OptionReading, type OptionSpec, optionDoubts, readOptions } from "../options.ts";
import { type Launch, SAME_STATUS } from "./launch.ts";

const DOCKER: OptionSpec = {
  short: "c:DH:l:v",
  long: "config: context: debug host: log-level: tls tlscacert: tlscert: tlskey: tlsverify connection: remote url: namespace: address:",
};
const COMPOSE: OptionSpec = {
  short: "f:p:vH:",
  long: "file: project-name: profile: env-file: project-directory: parallel: progress: ansi: all-resources compatibility dry-run verbose",
};
const EXEC: OptionSpec = {
  short: "dite:u:w:lTp:v:",
  long: "detach interactive tty privileged env: env-file: user: workdir: detach-keys: index: no-TTY no-tty latest rm no-deps build service-ports quiet-pull name: entrypoint: publish: volume: label: use-aliases",
};
const KUBECTL: OptionSpec = {
  short: "n:s:v:itqc:f:",
  long: "namespace: context: kubeconfig: cluster: user: server: token: as: request-timeout: stdin tty quiet container: filename: pod-running-timeout: insecure-skip-tls-verify",
};

/** What a tool starts inside a container: `docker exec`, `compose run`, `kubectl exec`. */
export function container(program: string, args: readonly Word[]): readonly Launch[] {
  const started = startedBy(program, args);
  if (!started || started.operands.length === 0) return [];
  const doubts = optionDoubts(started, args.slice(0, args.length - started.operands.length));
  const passesStatus = !hasOption(started, "d detach") && doubts.length === 0;
  return [{ ...SAME_STATUS, words: started.operands, remote: true, passesStatus, doubts }];
}

function startedBy(program: string, args: readonly Word[]): OptionReading | undefined {
  if (program === "kubectl" || program === "oc") return inPod(args);
  if (program === "docker-compose" || program === "podman-compose") return inService(args);
  const { operands } = readOptions(args, DOCKER, false);
  const [first, ...rest] = operands;
  if (first?.text === "compose") return inService(rest);
  const [verb, ...words] = first?.text === "container" ? rest : operands;
  return verb?.text === "exec" ? afterName(words) : undefined;
}

function inService(args: readonly Word[]): OptionReading | undefined {
  const [verb, ...words] = readOptions(args, COMPOSE, false).operands;
  return verb?.text === "exec" || verb?.text === "run" ? afterName(words) : undefined;
}

function afterName(words: readonly Word[]): OptionReading {
  const reading = readOptions(words, EXEC, false);
  return { ...reading, operands: reading.operands.slice(1) };
}

function inPod(args: readonly Word[]): OptionReading | undefined {
  const end = args.findIndex((word) => word.text === "--");
  const reading = readOptions(end < 0 ? args : args.slice(0, end), KUBECTL, true);
  const [verb, pod] = reading.operands;
  if ((verb?.text === "run" || verb?.text === "debug") && end >= 0)
    return { ...reading, operands: args.slice(end + 1) };
  if (verb?.text !== "exec" && verb?.text !== "rsh") return undefined;
  if (end >= 0) return { ...reading, operands: args.slice(end + 1) };
  // Without `--` the command begins after the name of the pod.
  return pod && readOptions(args.slice(args.indexOf(pod) + 1), KUBECTL, false);
}
