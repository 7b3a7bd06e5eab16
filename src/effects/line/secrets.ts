import { posix } from "node:path";
import type { Command, Word } from "../../shell/command.ts";
import { type Effect, effect } from "../effect.ts";
import { LONGEST_PATH } from "./resolve.ts";

/** Names of files that hold a secret in any folder. */
const NAMES =
  /^(?:\.env|\.env\.[\w.-]+|[\w-]+\.env|\.envrc|id_(?:rsa|dsa|ecdsa|ed25519)(?:_\w+)?|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.vault-token|credentials|credentials\.(?:json|ya?ml|ini|csv)|\.credentials\.json|service[-_]account[\w-]*\.json|secrets?\.(?:json|ya?ml|toml|env|txt)|shadow|gshadow|wallet\.dat|[\w.-]+\.(?:p12|pfx|jks|keystore|kdbx|ppk|keytab)|[\w.-]+\.key|[\w.-]*(?:private|privkey|secret|id_rsa)[\w.-]*\.pem|\.(?:bash|zsh)_history)$/i;
/** Names that look like secrets but are made to be shared: public keys, templates. */
const SHARED = /(?:example|sample|template|dist|schema|\.pub$|public|\.md$|\.enc$|\.gpg$|\.age$|\.asc$)/i;
/** Folders whose files are secrets. */
const FOLDERS =
  /(?:^|\/)(?:\.ssh|\.aws|\.gnupg|\.kube|\.config\/gcloud|\.azure|\.password-store|\.docker\/config\.json|\.kube\/config|\.config\/gh\/hosts\.yml|etc\/(?:shadow|passwd)|(?:google-chrome|chromium|Chrome|firefox|BraveSoftware)\/.{0,200}(?:Cookies|Login Data|key4\.db|logins\.json|cookies\.sqlite)|proc\/(?:self|\d+)\/environ)(?:\/|$)/;
const FOLDER_HARMLESS = /^(?:known_hosts|config|authorized_keys|.*\.pub)$/;

/** Whether a path names a file or folder of secrets. */
export function isSecretPath(text: string): boolean {
  if (text.length > LONGEST_PATH) return false;
  const path = text.replace(/\/+$/, "");
  const name = posix.basename(path);
  if (SHARED.test(name)) return false;
  const folder = FOLDERS.exec(path);
  if (folder)
    return !(path.includes("/.ssh/") && FOLDER_HARMLESS.test(name)) && !(path.includes("/.aws/") && name === "config");
  if (name === "shadow" || name === "gshadow") return path.startsWith("/etc/");
  return NAMES.test(name) && !/^(?:package|tsconfig)/.test(name);
}

/** Programs that print what they read. */
const READERS =
  /^(?:cat|tac|head|tail|less|more|base64|base32|xxd|hexdump|od|gzip|bzip2|xz|zstd|tar|zip|grep|egrep|sed|awk|cut|strings|tr|sort|dd|openssl|jq|yq|nl|rev|bat|cp|mv|curl|paste|fold|uuencode|pv|tee)$/;
/** Programs whose output is a secret by itself. */
const PRINTERS: Readonly<Record<string, (args: readonly (string | undefined)[]) => boolean>> = {
  env: (args) => args.length === 0,
  printenv: (args) => args.length === 0 || args.some((arg) => SECRET_NAME.test(arg ?? "")),
  set: (args) => args.length === 0,
  export: (args) => args.length === 0 || args[0] === "-p",
  history: (args) => args.length === 0,
  sqlite3: (args) => args.some((arg) => arg !== undefined && isSecretPath(arg)),
  declare: (args) => /^-(?:p|x|px|xp)$/.test(args[0] ?? ""),
  gh: ([first, second]) => first === "auth" && second === "token",
  pass: ([first]) => first === "show",
  security: ([first]) => /^find-(?:generic|internet)-password$/.test(first ?? "") || first === "dump-keychain",
  gpg: (args) => args.some((arg) => /^--export-secret-(?:keys|subkeys)$/.test(arg ?? "")),
  aws: ([first, second, ...rest]) =>
    (first === "configure" && (second === "export-credentials" || second === "get")) ||
    (first === "secretsmanager" && /^(?:batch-)?get-secret-value$/.test(second ?? "")) ||
    (first === "ssm" && rest.includes("--with-decryption")),
  kubectl: (args) =>
    (args[0] === "get" && args.some((arg) => /^secrets?(?:\/|$)/.test(arg ?? "")) && hasOutput(args)) ||
    (args[0] === "config" && args[1] === "view" && args.includes("--raw")),
  vault: ([first, second]) => first === "read" || (first === "kv" && second === "get"),
  gcloud: (args) => args.includes("secrets") && args.includes("access"),
  az: (args) => args[0] === "keyvault" && args.includes("show"),
  op: ([first]) => first === "read",
  bw: ([first]) => first === "get",
};
export const SECRET_NAME = /(?:SECRET|PASSWORD|PASSWD|PRIVATE_KEY|CREDENTIALS|_TOKEN$|API_?KEY)/i;

function hasOutput(args: readonly (string | undefined)[]): boolean {
  return args.some((arg) => /^(?:-o|--output|-o.+|--output=.+)$/.test(arg ?? ""));
}

/** The secret that a command reads or prints, for people; undefined when there is none. */
export function secretOf(command: Command): string | undefined {
  const { program = "", args } = command;
  if (Object.hasOwn(PRINTERS, program) && PRINTERS[program]?.(args))
    return program === "gpg" ? "the secret keys" : `the output of ${program}`;
  const from = command.redirections.find(
    ({ operator, target }) => operator === "<" && target && isSecretPath(target.text),
  );
  if (from?.target) return from.target.text;
  if (!READERS.test(program)) return undefined;
  // The pattern of grep is no file.
  const words = /^(?:e?grep|sed|awk|jq|yq|tr)$/.test(program)
    ? withoutFirst(command.argv.slice(1))
    : command.argv.slice(1);
  return words.map(namedFile).find(isSecretPath);
}

function namedFile(word: Word): string {
  return word.text.replace(/^(?:if=|--?[\w-]+=)/, "");
}

function withoutFirst(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex(({ text }) => !text.startsWith("-"));
  return words.filter((_, index) => index !== at);
}

const MAX_CHAIN = 64;

/** Everything before a command in its pipe. */
export function pipedFrom(command: Command): readonly Command[] {
  const found = new Set<Command>(command.upstream);
  for (const one of found) {
    if (found.size > MAX_CHAIN) break;
    for (const before of one.upstream) found.add(before);
  }
  return [...found];
}

/** Whether the command encrypts what passes through it. */
export function encrypts({ program, args }: Command): boolean {
  if (program === "age") return true;
  return program === "gpg" && args.some((arg) => /^(?:-c|-e|-ce|--encrypt|--symmetric)$/.test(arg ?? ""));
}

export function sends(command: Command, secret: string, to: string): Effect {
  const instead = "do not send secrets to another machine";
  return effect("exfiltrate-secret", command, `sends ${secret} to ${to}`, { target: secret, instead });
}
