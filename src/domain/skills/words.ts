/** Words by which an error or a tool is found again. */
const TECHNICAL = new Set(
  [
    "api async auth aws azure babel bash bundler cache ci cli cmake container cors cron css csv daemon database deadlock",
    "debugger deploy django dns docker dockerfile encoding endpoint env esbuild eslint express fastapi fixture flask",
    "gcp git github gitlab go gradle graphql grpc html http https index java javascript jest json jwt kafka kotlin",
    "kubernetes lambda latency linter linux lock lockfile login logging makefile maven memory middleware migration",
    "mock mongodb mutex mypy mysql nginx node npm nuxt oauth openssl orm pandas parser permission php pip pnpm poetry",
    "port postgres postgresql prisma promise proxy pytest python query race rails react redis redux regex regexp",
    "registry replica rollup router ruby rust schema session socket spring sql sqlite ssh ssl svelte swift systemd",
    "tailwind tcp terraform thread timeout timezone tls token transaction tsconfig typescript unicode utf-8 venv vite",
    "vitest vue webhook webpack websocket worker xml yaml yarn",
  ]
    .join(" ")
    .split(" "),
);

/** They stand in nearly every prompt, so a skill that they call would always be told. */
const GENERIC = new Set(
  [
    "add all also bug bugs change code command create data default error errors example file files fix fixed function",
    "help issue issues line lines main make method module name new null number object option options output problem",
    "project readme refactor remove result run script set solution string test tests text thing todo true false try",
    "type undefined update use using value variable work works write",
  ]
    .join(" ")
    .split(" "),
);

export function technicalWords(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z][a-z0-9]*(?:-\d+)?/g) ?? [];
  return [...new Set(words.filter((word) => TECHNICAL.has(word)))];
}

export function isGeneric(trigger: string): boolean {
  return GENERIC.has(trigger) || /^\d+$/.test(trigger);
}

/** A file with a folder, or with the ending of a source. */
export const FILE_NAME =
  /(?:[\w@.-]+\/)+[\w@-]+(?:\.[\w-]+)*|\b[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|json|ya?ml|toml|py|go|rs|rb|java|kt|c|h|cpp|cs|php|sh|sql|css|html|env|lock|ini|cfg|conf)\b/;
/** `TypeError`, `ECONNREFUSED`, `TS2345`, `exit code 137`. */
export const ERROR_NAME =
  /\b(?:[A-Z][A-Za-z]*(?:Error|Exception|Warning)|E[A-Z]{4,}|SIG[A-Z]{3,}|[A-Z]{2,8}[_-]?\d{3,5}|exit (?:code|status) \d+)\b/;
