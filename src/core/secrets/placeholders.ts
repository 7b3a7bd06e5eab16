/** Words that say: put your own here. */
const WORDS =
  /example|sample|placeholder|change-?_?me|your[-_ ]?|dummy|redacted|masked|insert[-_ ]|replace[-_ ]?(?:me|with|this)|\*\*\*|\.\.\.|\u2026|-here\b|_here\b|\bfake|not-?_?a-?_?real|lorem/i;
const CROSSES = /x{4}|X{4}/;
/** A value that is filled in later: by a shell, a template, a pipeline or a format. */
const FILLED_IN = /\$\{|\$\(|^\$[A-Za-z_]|\{\{|<[^>]{1,80}>|^%[sdv(@]|%\w+%|#\{|\{[a-z_.]{1,40}\}/i;
const RUNS = ["0123456789", "1234567890", "abcdefgh", "ABCDEFGH", "qwertyui", "deadbeef", "cafebabe"];

/** Keys that their makers print in their own manuals and tools. */
const DOCUMENTED: ReadonlySet<string> = new Set([
  "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
  "sk_test_BQokikJOvBiI2HlWgH4olfQ2",
  "pk_test_TYooMQauvdEDq54NiTphI7jx",
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
  "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==",
]);

/** Nobody's secret: a gap to be filled in, a documented example, or the same few characters over and over. */
export function isPlaceholder(value: string): boolean {
  if (DOCUMENTED.has(value) || WORDS.test(value) || CROSSES.test(value) || FILLED_IN.test(value)) return true;
  if (RUNS.some((run) => value.includes(run))) return true;
  return isMonotonous(value);
}

/** `aaaa…`, `abcabcabc…`, `00000000-0000-…`: too few different characters for its length. */
function isMonotonous(value: string): boolean {
  const body = value.replace(/[-_.:/=+]/g, "");
  if (body.length < 8) return false;
  const most = body.length >= 24 ? 6 : body.length >= 16 ? 5 : 3;
  return new Set(body).size <= most;
}

/** Words that stand where a password would, in nearly every tutorial. */
const WEAK =
  /^(?:pass(?:w(?:or)?d)?|passwd|pwd|pw|secret|s3cret|token|postgres|postgresql|mysql|mariadb|root|admin|administrator|user|username|guest|rabbitmq|redis|mongo|minio|minioadmin|sa|test(?:ing)?|demo|dev|local|docker|default|foo|bar|baz|hunter2|letmein|qwerty|mysecretpassword|my-secret-pw|supersecret|topsecret|hello|world|none|null|nil|undefined|true|false|string|required|optional)[\d!]{0,4}$/i;

export function isWeak(value: string): boolean {
  return WEAK.test(value) || isPlaceholder(value);
}
