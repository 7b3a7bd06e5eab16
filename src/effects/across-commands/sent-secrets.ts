import { posix } from "node:path";
import type { Command } from "../../shell/command.ts";
import type { Effect, Scene } from "../effect.ts";
import { PipeLookup } from "../git/pipe-lookup.ts";
import { isLocal } from "../line/addresses.ts";
import { encrypts, isSecretPath, pipedFrom, secretOf, sends } from "../line/secrets.ts";
import { type Upload, uploadOf } from "./uploads.ts";

/** Secrets that a line sends to another machine, seen over all its commands. */
export function sentSecrets(scene: Scene): readonly Effect[] {
  const pushed = pushedSecrets(scene);
  const senders = scene.shell.commands.flatMap((command) => {
    const sending = uploadOf(command);
    return sending && !isLocal(sending.to) ? [{ command, sending }] : [];
  });
  if (senders.length === 0) return pushed;
  const carriers = carriersOf(scene);
  const variables = variablesOf(scene);
  const sent = senders.flatMap(({ command, sending }) => {
    const secret = sentBy(command, sending, carriers, variables);
    return secret === undefined ? [] : [sends(command, secret, sending.to || "another machine")];
  });
  return [...pushed, ...sent];
}

/** A secret that git is told to ignore, added by force and pushed. */
function pushedSecrets({ shell: { commands } }: Scene): readonly Effect[] {
  const push = commands.findLast(({ program, args }) => program === "git" && args.includes("push"));
  if (!push || push.args.includes("--dry-run")) return [];
  return commands.slice(0, commands.indexOf(push)).flatMap(({ program, args }) => {
    if (program !== "git" || args[0] !== "add" || !args.some((arg) => arg === "-f" || arg === "--force")) return [];
    const secret = args.find((arg) => arg !== undefined && isSecretPath(arg));
    return secret === undefined ? [] : [sends(push, secret, "the remote")];
  });
}

/** Programs that publish a text: issues, comments, pastes. */
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
  const sending = uploadOf(command);
  if (!sending || isLocal(sending.to)) return undefined;
  if (!sending.words.some(({ text }) => isSecret(text)) && !(readsSecret && sending.input)) return undefined;
  const [, host = ""] = /^(?:[a-z]+:\/\/)?(?:[^@/]*@)?([^/?#:@]+)/.exec(sending.to) ?? [];
  return host === "" || isSecret(host) ? "another machine" : host;
}

function sentBy(
  command: Command,
  sending: Upload,
  carriers: ReadonlyMap<string, string>,
  variables: ReadonlyMap<string, string>,
): string | undefined {
  const found = findsSecrets(command);
  for (const file of sending.files) {
    const named = isSecretPath(file) ? file : carriers.get(plain(file, command));
    if (named !== undefined) return named;
    if (found && /\{\}|^$/.test(file)) return "secret files that it finds";
  }
  const inner = command.inner.map(secretOf).find((one) => one !== undefined);
  if (inner !== undefined && sending.words.some(({ text }) => /\$\(|`|<\(/.test(text))) return inner;
  const variable = namesIn(sending.words);
  const held = variable.map((name) => variables.get(name)).find((one) => one !== undefined);
  if (held !== undefined) return held;
  const strange = variable.find((name) => isForOthers(name, sending.to));
  if (strange !== undefined) return `$${strange}`;
  // `base64 .env | xargs -I{} curl https://…/{}`
  if (command.via?.program === "xargs" && sending.words.some(({ known }) => !known)) {
    const fed = pipedFrom(command.via)
      .map(secretOf)
      .find((one) => one !== undefined);
    if (fed !== undefined) return fed;
  }
  if (!sending.input) return undefined;
  const chain = pipedFrom(command);
  if (chain.some(encrypts)) return undefined;
  const own = command.redirections.find(({ operator, target }) => operator === "<" && target)?.target?.text;
  if (own !== undefined) return isSecretPath(own) ? own : carriers.get(plain(own, command));
  const strangers = chain
    .filter(({ program }) => program === "echo" || program === "printf")
    .flatMap(({ argv }) => argv);
  const foreign = namesIn(strangers).find((name) => isForOthers(name, sending.to));
  if (foreign !== undefined) return `$${foreign}`;
  const body = command.redirections.some(({ body: text }) => text && !text.known);
  return chain.map(secretOf).find((one) => one !== undefined) ?? (body ? inner : undefined);
}

/** `find … -name id_rsa -exec curl … {}`, `find … | xargs curl …` */
function findsSecrets({ via }: Command): boolean {
  const finders = via?.program === "xargs" ? via.upstream : via ? [via] : [];
  return finders.some(
    ({ program, argv }) =>
      /^(?:find|fd|fdfind|locate)$/.test(program ?? "") &&
      argv.some(({ text }) => isSecretPath(text) || /^\*\.(?:pem|key|env|p12|pfx|kdbx)$/.test(text)),
  );
}

function namesIn(words: Upload["words"]): readonly string[] {
  return words.flatMap(({ text }) => [...text.matchAll(/\$\{?(\w+)/g)].map((match) => match[1] ?? ""));
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

/** Files that the line itself fills with a secret. */
function carriersOf(scene: Scene): ReadonlyMap<string, string> {
  const carriers = new Map<string, string>();
  const piped = new PipeLookup(scene.shell.commands, secretOf);
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
