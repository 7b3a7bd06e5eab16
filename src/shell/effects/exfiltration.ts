import { posix } from "node:path";
import type { Command, Word } from "../command.ts";
import { readOptions } from "../options.ts";
import { type Effect, effect, type Scene } from "./effect.ts";
import { encrypts, isSecretPath, pipedFrom, secretOf } from "./secrets.ts";
import { readLoosely, valuesOf } from "./tool.ts";
import { Upstream } from "./upstream.ts";
import { WRITERS } from "./writers.ts";

/** What a command would send away: files by name, words whose text goes out, and whether its input does. */
interface Sending {
  readonly files: readonly string[];
  readonly words: readonly Word[];
  readonly input: boolean;
  /** Where it goes. */
  readonly to: string;
}

const NOTHING: Sending = { files: [], words: [], input: false, to: "" };
const LOCAL = /^(?:[a-z]+:\/\/)?(?:[^@/]*@)?(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0)(?::|\/|$)/;

/** Secrets that a line sends to another machine, seen over all its commands. */
export function sentSecrets(scene: Scene): readonly Effect[] {
  const senders = scene.shell.commands.flatMap((command) => {
    const sending = sendingOf(command);
    return sending && !LOCAL.test(sending.to) ? [{ command, sending }] : [];
  });
  if (senders.length === 0) return [];
  const carriers = carriersOf(scene);
  const variables = variablesOf(scene);
  return senders.flatMap(({ command, sending }) => {
    const secret = sentBy(command, sending, carriers, variables);
    if (secret === undefined) return [];
    const why = `sends ${secret} to ${sending.to || "another machine"}`;
    return [effect("exfiltrate-secret", command, why, { target: secret, instead: "keep secrets on this machine" })];
  });
}

/** Talking to people through these makes a text public. */
const TALKS = /^(?:issue|pr|mr|gist|release|api|snippet|discussion)$/;

/** The host to which a command sends a text of its own words, or what it reads when that is a secret. */
export function sentTo(
  command: Command,
  isSecret: (text: string) => boolean,
  readsSecret: boolean,
): string | undefined {
  const { program = "", args } = command;
  if (/^(?:gh|glab)$/.test(program) && TALKS.test(args[0] ?? "") && command.argv.some(({ text }) => isSecret(text)))
    return program === "gh" ? "GitHub" : "GitLab";
  const sending = sendingOf(command);
  if (!sending || LOCAL.test(sending.to)) return undefined;
  if (!sending.words.some(({ text }) => isSecret(text)) && !(readsSecret && sending.input)) return undefined;
  const [, host = ""] = /^(?:[a-z]+:\/\/)?(?:[^@/]*@)?([^/?#:@]+)/.exec(sending.to) ?? [];
  return host === "" || isSecret(host) ? "another machine" : host;
}

function sentBy(
  command: Command,
  sending: Sending,
  carriers: ReadonlyMap<string, string>,
  variables: ReadonlyMap<string, string>,
): string | undefined {
  const found =
    command.via?.program === "find" && command.via.argv.some(({ text }) => isSecretPath(text)) ? "found" : undefined;
  for (const file of sending.files) {
    const named = isSecretPath(file) ? file : carriers.get(plain(file, command));
    if (named !== undefined) return named;
    if (found && file.includes("{}")) return "secret files that it finds";
  }
  const inner = command.inner.map(secretOf).find((one) => one !== undefined);
  if (inner !== undefined && sending.words.some(({ text }) => /\$\(|`|<\(/.test(text))) return inner;
  const variable = sending.words.flatMap(({ text }) =>
    [...text.matchAll(/\$\{?(\w+)/g)].map((match) => match[1] ?? ""),
  );
  const held = variable.map((name) => variables.get(name)).find((one) => one !== undefined);
  if (held !== undefined) return held;
  const strange = variable.find((name) => isForOthers(name, sending.to));
  if (strange !== undefined) return `$${strange}`;
  if (!sending.input) return undefined;
  const chain = pipedFrom(command);
  if (chain.some(encrypts)) return undefined;
  const own = command.redirections.find(({ operator, target }) => operator === "<" && target)?.target?.text;
  if (own !== undefined) return isSecretPath(own) ? own : carriers.get(plain(own, command));
  const body = command.redirections.some(({ body: text }) => text && !text.known);
  return chain.map(secretOf).find((one) => one !== undefined) ?? (body ? inner : undefined);
}

/** Variables that by their name hold the key to one service, and how that one's addresses look. */
const SERVICES: readonly (readonly [name: RegExp, address: RegExp])[] = [
  [/^(?:GITHUB|GH)_(?:TOKEN|PAT)$/, /github|ghcr\.io/],
  [/^GITLAB_(?:TOKEN|PAT)$|^CI_JOB_TOKEN$/, /gitlab|\$/],
  [/^AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN|ACCESS_KEY_ID)$/, /amazonaws|aws/],
  [/^(?:NPM|NODE_AUTH)_TOKEN$/, /npm|registry/],
  [
    /^(?:OPENAI|ANTHROPIC|GEMINI|MISTRAL|GROQ|COHERE|HF|HUGGINGFACE)_(?:API_KEY|TOKEN|ACCESS_TOKEN)$/,
    /openai|anthropic|google|mistral|groq|cohere|huggingface|hf\.co|azure/,
  ],
  [/^STRIPE_(?:SECRET_KEY|API_KEY|SECRET)$/, /stripe/],
  [/^SLACK_(?:BOT_)?TOKEN$/, /slack/],
  [
    /^(?:DIGITALOCEAN|DO|HEROKU|CLOUDFLARE|CF|VERCEL|NETLIFY|FLY|SENTRY|PYPI|TWINE|DOCKER|DOCKERHUB)_(?:API_TOKEN|API_KEY|AUTH_TOKEN|TOKEN|PASSWORD)$/,
    /digitalocean|heroku|cloudflare|vercel|netlify|fly\.io|sentry|pypi|docker/,
  ],
  [
    /^(?:DATABASE_URL|DB_PASSWORD|PGPASSWORD|POSTGRES_PASSWORD|MYSQL_ROOT_PASSWORD|MYSQL_PWD|REDIS_PASSWORD|JWT_SECRET|SECRET_KEY_BASE|SSH_PRIVATE_KEY|PRIVATE_KEY)$/,
    /^$/,
  ],
];

/** A key that goes to an address of somebody else. */
function isForOthers(name: string, to: string): boolean {
  const [, host = ""] = /^["']?(?:[a-z]+:\/\/)?(?:[^@/]*@)?([^/?#]+)/.exec(to) ?? [];
  if (host === "" || host.includes("$") || !host.includes(".")) return false;
  return SERVICES.some(([names, addresses]) => names.test(name) && !addresses.test(host));
}

const SENDERS: Readonly<Record<string, (command: Command) => Sending | undefined>> = {
  curl,
  wget,
  http: httpie,
  https: httpie,
  ...Object.fromEntries(
    ["nc", "ncat", "netcat", "socat", "telnet", "mail", "mailx", "sendmail", "mutt", "msmtp"].map((name) => [
      name,
      stream,
    ]),
  ),
  openssl: (command) => (command.args[0] === "s_client" ? stream(command) : undefined),
  ssh: (command) => ({
    ...NOTHING,
    input: true,
    to: command.argv.slice(1).find(({ text }) => !text.startsWith("-"))?.text ?? "",
  }),
  scp: copies,
  rsync: copies,
  sftp: (command) => putLines(command),
  ...Object.fromEntries(["dig", "nslookup", "host", "ping", "drill"].map((name) => [name, lookup])),
  aws: (command) => stored(command, /^(?:s3)$/, /^(?:cp|mv|sync)$/),
  gsutil: (command) => stored(command, /^(?:cp|mv|rsync)$/, undefined),
  gcloud: (command) => stored(command, /^storage$/, /^(?:cp|mv|rsync)$/),
  rclone: (command) => stored(command, /^(?:copy|copyto|sync|move|moveto|rcat)$/, undefined),
  mc: (command) => stored(command, /^(?:cp|mirror|pipe)$/, undefined),
  s3cmd: (command) => stored(command, /^(?:put|sync)$/, undefined),
  az: (command) => stored(command, /^storage$/, /^(?:blob|file|copy)$/),
  gist: (command) => ({ ...NOTHING, files: command.args.map((arg) => arg ?? ""), input: true, to: "a public place" }),
  gh: (command) => stored(command, /^(?:gist|release)$/, /^(?:create|upload)$/),
  ...Object.fromEntries(
    ["wormhole", "croc", "magic-wormhole"].map((name) => [
      name,
      (command: Command) => stored(command, /^send$/, undefined),
    ]),
  ),
};

function sendingOf(command: Command): Sending | undefined {
  const socket =
    command.redirections.length === 0
      ? undefined
      : command.redirections.find(
          ({ operator, target }) => />/.test(operator) && /^\/dev\/(?:tcp|udp)\//.test(target?.text ?? ""),
        )?.target;
  if (socket) {
    const own = secretOf(command);
    return { ...NOTHING, files: own ? [own] : [], words: command.argv.slice(1), input: true, to: socket.text };
  }
  const { program = "" } = command;
  return Object.hasOwn(SENDERS, program) ? SENDERS[program]?.(command) : undefined;
}

/** Headers and passwords are how one logs in; data, forms, files and addresses are what is sent. */
function curl(command: Command): Sending {
  const options = readOptions(command.argv.slice(1), WRITERS.curl ?? {}, true);
  const data = valuesOf(options, "d data data-binary data-urlencode json data-ascii");
  const forms = valuesOf(options, "F form");
  const uploads = valuesOf(options, "T upload-file");
  const addresses = [...options.operands, ...valuesOf(options, "url")];
  const files = [
    ...data.flatMap(({ text }) => /^(?:[\w.[\]-]+)?@(.+)$/.exec(text)?.[1] ?? []),
    ...forms.flatMap(({ text }) => /^[^=]*=[@<]([^;]+)/.exec(text)?.[1] ?? []),
    ...uploads.map(({ text }) => text),
  ];
  const input = files.some((file) => file === "-" || file === "." || file === "/dev/stdin");
  // A token in the header that is made for it is how one logs in.
  const headers = valuesOf(options, "H header").filter(
    ({ text }) => !/^(?:authorization|x-api-key|cookie)\b/i.test(text),
  );
  const words = [...data, ...valuesOf(options, "data-raw form-string"), ...forms, ...uploads, ...headers, ...addresses];
  return { files, words, input, to: addresses.at(-1)?.text ?? "" };
}

function wget(command: Command): Sending {
  const reading = readLoosely(command.argv.slice(1), "post-file post-data body-file body-data header O o P U e method");
  const files = valuesOf(reading, "post-file body-file").map(({ text }) => text);
  const words = [...valuesOf(reading, "post-data body-data"), ...reading.operands];
  return { files, words, input: files.includes("-"), to: reading.operands.at(-1)?.text ?? "" };
}

function httpie(command: Command): Sending {
  const { operands } = readLoosely(command.argv.slice(1), "a auth o output");
  const files = operands.flatMap(({ text }) => /^[\w.-]*@(.+)$/.exec(text)?.[1] ?? []);
  const to = operands.find(({ text }) => /[.:/]/.test(text) && !/[=@]/.test(text))?.text ?? "";
  return { files, words: operands, input: true, to };
}

function stream(command: Command): Sending {
  const words = command.argv.slice(1);
  const attached = words.flatMap((word, at) => (/^-[aA]$/.test(words[at - 1]?.text ?? "") ? [word.text] : []));
  const to = words.find(({ text }) => !text.startsWith("-"))?.text ?? "";
  const files = words.flatMap(({ text }) => /^(?:FILE|OPEN|file|open):([^,]+)/.exec(text)?.[1] ?? []);
  return { files: [...attached, ...files], words, input: true, to };
}

function lookup(command: Command): Sending {
  return { ...NOTHING, words: command.argv.slice(1), to: "a name server" };
}

/** The last word is where the others go; keys that only open the connection are options. */
function copies(command: Command): Sending | undefined {
  const { operands } = readOptions(command.argv.slice(1), WRITERS[command.program ?? ""] ?? {}, true);
  const to = operands.at(-1)?.text ?? "";
  if (!/^[^/]+:/.test(to)) return undefined;
  return {
    ...NOTHING,
    files: operands
      .slice(0, -1)
      .map(({ text }) => text)
      .filter((text) => !/^[^/]+:/.test(text)),
    to,
  };
}

function putLines(command: Command): Sending {
  const text = command.redirections.find(({ body }) => body)?.body?.text ?? "";
  const files = text.split("\n").flatMap((line) => /^\s*put\s+(?:-\w+\s+)?(\S+)/.exec(line)?.[1] ?? []);
  return { ...NOTHING, files, to: command.argv.at(-1)?.text ?? "" };
}

/** `tool verb source target` for places in the cloud. */
function stored(command: Command, first: RegExp, second: RegExp | undefined): Sending | undefined {
  const reading = readLoosely(
    command.argv.slice(1),
    "profile region endpoint-url d desc t title n notes config acl storage-class sse content-type exclude include cache-control metadata grants expires only-show-errors-for a h predefined-acl account-name account-key container-name c name",
  );
  const words = reading.operands.map(({ text }) => text);
  if (!first.test(words[0] ?? "") || (second && !second.test(words[1] ?? ""))) return undefined;
  const files = [...words.slice(second ? 2 : 1), ...valuesOf(reading, "f file source").map(({ text }) => text)];
  const last = files.at(-1) ?? "";
  const pairs = /^(?:aws|gsutil|gcloud|rclone|mc|s3cmd)$/.test(command.program ?? "");
  // A copy from there to here sends nothing.
  if (pairs && !/:/.test(last) && command.program !== "mc") return undefined;
  return {
    ...NOTHING,
    files: pairs ? files.slice(0, -1).filter((file) => !/^\w+:\/\//.test(file)) : files,
    input: files.includes("-"),
    to: pairs ? last : "a public place",
  };
}

/** Files that the line itself fills with a secret. */
function carriersOf(scene: Scene): ReadonlyMap<string, string> {
  const carriers = new Map<string, string>();
  const piped = new Upstream(scene.shell.commands, secretOf);
  for (const command of scene.shell.commands) {
    const secret = secretOf(command) ?? piped.before(command);
    if (secret === undefined) continue;
    const words = command.argv.slice(1).map(({ text }) => text);
    const written = command.redirections.flatMap(({ operator, target }) =>
      /^>/.test(operator) && target?.known ? [target.text] : [],
    );
    const archive =
      command.program === "tar"
        ? words.find((word, at) => /^-?\w*f$/.test(words[at - 1] ?? "") && !word.startsWith("-"))
        : undefined;
    const zipped = command.program === "zip" ? words.find((word) => !word.startsWith("-")) : undefined;
    const copied = /^(?:cp|mv|tee)$/.test(command.program ?? "") ? words.at(-1) : undefined;
    for (const file of [...written, archive, zipped, copied]) if (file) carriers.set(plain(file, command), secret);
  }
  return carriers;
}

/** Variables that the line itself fills with a secret. */
function variablesOf(scene: Scene): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const command of scene.shell.commands) {
    const secret =
      command.assignments.length > 0 ? command.inner.map(secretOf).find((one) => one !== undefined) : undefined;
    if (secret !== undefined) for (const { name } of command.assignments) variables.set(name, secret);
  }
  return variables;
}

function plain(file: string, command: Command): string {
  return posix.resolve(command.cwd ?? "/", file);
}
