import { searchFor } from "./beginnings.ts";
import { endsWithCrc, isBech32 } from "./checksums.ts";
import { isPlaceholder, isWeak } from "./placeholders.ts";

/** A secret that is known by its own form. */
export interface Shape {
  /** What it is, for people. */
  readonly name: string;
  /** One of these stands in every match, in exactly this spelling; a text without any of them is not searched. */
  readonly hints: readonly string[];
  /** Generous: whatever it matches is never stored. A group, if there is one, is the secret itself. */
  readonly pattern: RegExp;
  /** Strict: whether a match is one and no look-alike. Without it, everything that is no placeholder is. */
  readonly isReal?: (match: string) => boolean;
}

function shape(name: string, hints: string, pattern: RegExp, real?: RegExp | Shape["isReal"]): Shape {
  const isReal = real instanceof RegExp ? (match: string) => real.test(match) : real;
  return { name, hints: hints.split(" "), pattern, ...(isReal ? { isReal } : {}) };
}

/** In alphabetical order of the maker. Every pattern is bounded or takes one kind of character, so it is linear. */
export const SHAPES: readonly Shape[] = [
  shape("age secret key", "AGE-SECRET-KEY-1", /\bAGE-SECRET-KEY-1[A-Z0-9]{50,70}\b/g, isBech32),
  shape("Airtable token", "pat", /\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b/g),
  shape("Anthropic key", "sk-ant-", /\bsk-ant-[A-Za-z0-9_-]{16,}/g, /^sk-ant-[a-z]{3,5}\d\d-[\w-]{32,}$/),
  shape("Atlassian token", "ATATT3x ATCTT3x", /\bAT[AC]TT3x[A-Za-z0-9_=-]{40,}/g, /.{60,}=[0-9A-F]{8}$/),
  shape("AWS access key id", "AKIA ASIA", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g),
  shape("AWS Bedrock key", "ABSK", /\bABSK[A-Za-z0-9+/]{100,}={0,2}/g),
  shape("Azure client secret", "Q~", /(?<![\w~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![\w~-])/g),
  shape("Azure shared access signature", "sig=", /(?<=[?&]sig=)[A-Za-z0-9%+/]{43,}(?:={1,2}|%3[Dd])/g),
  shape("Azure storage key", "AccountKey= SharedAccessKey=", /(?<=\b(?:Account|SharedAccess)Key=)[\w+/]{40,}={0,2}/g),
  shape("Buildkite token", "bkua_", /\bbkua_[a-f0-9]{40}\b/g),
  shape("CircleCI token", "CCIPAT_ CCIPRJ_", /\bCCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}\b/g),
  shape("Cloudflare origin key", "v1.0-", /\bv1\.0-[a-f0-9]{24}-[a-f0-9]{146}\b/g),
  shape("crates.io token", "cio", /\bcio[A-Za-z0-9]{32}\b/g, /\d/),
  shape("Databricks token", "dapi", /\bdapi[a-f0-9]{32}(?:-\d)?\b/g),
  shape("DigitalOcean token", "_v1_", /\bdo[opr]_v1_[a-f0-9]{32,}/g, /^do[opr]_v1_[a-f0-9]{64}$/),
  shape(
    "Discord bot token",
    "MD MT Mj Mz ND NT Nj Nz OD OT",
    /\b[MNO][DTjz][\w-]{22,24}\.[\w-]{6}\.[\w-]{27,38}/g,
    hasDiscordId,
  ),
  shape("Discord webhook", "/api/webhooks/", /(?<=discord(?:app)?\.com\/api\/webhooks\/)\d{17,20}\/[\w-]{60,80}/g),
  shape("Docker Hub token", "dckr_pat_ dckr_oat_", /\bdckr_[po]at_[A-Za-z0-9_-]{20,}/g, /_.{27,32}$/),
  shape("Doppler token", "dp.", /\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b/g),
  shape("Figma token", "figd_ figo_", /\bfig[do]_[A-Za-z0-9_-]{40}/g),
  shape("Fly.io token", "fo1_ fm1 fm2_", /\b(?:fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,2})/g),
  shape("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", /\bgh[pousr]_[A-Za-z0-9]{20,}/g, endsWithCrc),
  shape(
    "GitHub fine-grained token",
    "github_pat_",
    /\bgithub_pat_\w{20,}/g,
    /^github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}$/,
  ),
  shape(
    "GitLab token",
    "glpat- glptt- gldt- glrt- glcbt- glagent- gloas-",
    /\bgl(?:pat|ptt|dt|rt|cbt|agent|oas)-[\w-]{16,}(?:\.[\w.]{8,})?/g,
    /-[\w.-]{20,}$/,
  ),
  shape("Google API key", "AIza", /\bAIza[A-Za-z0-9_-]{30,}/g, /^AIza[\w-]{35}$/),
  shape("Google OAuth secret", "GOCSPX-", /\bGOCSPX-[A-Za-z0-9_-]{20,}/g, /-[\w-]{28}$/),
  shape("Google access token", "ya29", /\bya29\.[A-Za-z0-9_-]{16,}/g, /\.[\w-]{30,}$/),
  shape("Grafana token", "glsa_ glc_", /\b(?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}\b|glc_eyJ[A-Za-z0-9+/]{40,}={0,2})/g),
  shape("Groq key", "gsk_", /\bgsk_[A-Za-z0-9]{40,}/g, /_[A-Za-z0-9]{52}$/),
  shape("Heroku key", "HRKU-", /\bHRKU-[A-Za-z0-9_-]{36,}/g),
  shape("Hugging Face token", "hf_", /\bhf_[A-Za-z0-9]{30,}/g, /^hf_[A-Za-z]{34}$|^hf_[A-Za-z0-9]{34,38}$/),
  shape("JSON web token", "eyJ", /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g, isLiveJwt),
  shape("Linear key", "lin_api_", /\blin_api_[A-Za-z0-9]{32,}/g, /_[A-Za-z0-9]{40}$/),
  shape("Mailchimp key", "-us", /\b[a-f0-9]{32}-us\d{1,2}\b/g),
  shape("Mailgun key", "key-", /\bkey-[a-f0-9]{32}\b/g),
  shape("Netlify token", "nfp_", /\bnfp_[A-Za-z0-9]{36,}/g),
  shape("New Relic key", "NRAK-", /\bNRAK-[A-Z0-9]{27}\b/g),
  shape(
    "Notion token",
    "ntn_ secret_",
    /\b(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}\b)/g,
    /^ntn_\d{9,}|^secret_(?=.*\d)/,
  ),
  shape("npm token", "npm_", /\bnpm_[A-Za-z0-9]{30,}/g, endsWithCrc),
  shape("OpenAI key", "sk-", /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}/g, isOpenAi),
  shape("Perplexity key", "pplx-", /\bpplx-[A-Za-z0-9]{40,}/g, /-[A-Za-z0-9]{48}$/),
  shape("PlanetScale secret", "pscale_", /\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{32,}/g),
  shape("Postman key", "PMAK-", /\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/g),
  shape(
    "private key",
    "PRIVATE",
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    hasKeyMaterial,
  ),
  shape("Pulumi token", "pul-", /\bpul-[a-f0-9]{40}\b/g),
  shape(
    "PyPI token",
    "pypi-",
    /\bpypi-[A-Za-z0-9_-]{30,}/g,
    /^pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)[\w-]{40,}$/,
  ),
  shape("Replicate token", "r8_", /\br8_[A-Za-z0-9]{37}\b/g),
  shape("RubyGems key", "rubygems_", /\brubygems_[a-f0-9]{48}\b/g),
  shape("SendGrid key", "SG.", /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g, /^SG\.[\w-]{22}\.[\w-]{43}$/),
  shape("Sentry token", "sntry", /\bsntry(?:u_[a-f0-9]{64}\b|s_eyJ[A-Za-z0-9+/=_-]{60,})/g),
  shape("Shopify token", "shp", /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g),
  shape("Slack app token", "xapp-", /\bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}/g),
  shape("Slack token", "xox", /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g, /^xox[a-z]-(?:\d-)?[\w-]*\d{9,}-[\w-]{12,}$/),
  shape(
    "Slack webhook",
    "slack.com",
    /(?<=\bhooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/]{20,}/g,
    /^T[A-Z0-9]{8,}\/[AB][A-Z0-9]{8,}\/(?:\d+\/)?[A-Za-z0-9]{20,}$/,
  ),
  shape("Square token", "sq0 EAAA", /\b(?:sq0(?:atp|csp)-[\w-]{22,43}|EAAA[\w-]{60})(?![\w-])/g),
  shape(
    "Stripe key",
    "sk_ rk_ pk_",
    /\b[rsp]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
    /^[rs]k_(?:live|test)_[A-Za-z0-9]{24,}$/,
  ),
  shape("Stripe webhook secret", "whsec_", /\bwhsec_[A-Za-z0-9+/]{24,}={0,2}/g, /_[A-Za-z0-9+/]{32,}={0,2}$/),
  shape("Supabase token", "sbp_ sb_secret_", /\b(?:sbp_[a-f0-9]{40}\b|sb_secret_[\w-]{30,})/g),
  shape("Tailscale key", "tskey-", /\btskey-[a-z]+-[A-Za-z0-9]{8,}(?:CNTRL)?-[A-Za-z0-9]{16,}/g),
  shape("Telegram bot token", ":AA", /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g),
  shape("Terraform Cloud token", ".atlasv1.", /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}/g),
  shape("Twilio key", "SK", /\bSK[a-f0-9]{32}\b/g),
  shape("Vault token", "hvs. hvb. hvr.", /\bhv[sbr]\.[A-Za-z0-9_-]{20,}/g, /\.[\w-]{24,}$/),
  shape("xAI key", "xai-", /\bxai-[A-Za-z0-9]{60,}/g, /-[A-Za-z0-9]{80}$/),
];

/** `scheme://user:password@host`: only the password in it is the secret. */
export const LOGIN: Shape = shape(
  "password in an address",
  "://",
  /(?<=\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/:@"'`]{0,120}:[^\s/@"'`]{1,200}@[^\s/"'`,;)]{0,120}/gi,
  isPasswordInAddress,
);

/** In a text as long as a key of many lines, any word may stand by chance. */
const LONGEST_PLACEHOLDER = 400;

export function isReal({ isReal: check }: Shape, match: string): boolean {
  if (match.length <= LONGEST_PLACEHOLDER && (isPlaceholder(match) || isPlaceholder(longestPiece(match)))) return false;
  return check?.(match) ?? true;
}

/** The part that was drawn, without a beginning such as `sk_live_`. */
function longestPiece(match: string): string {
  return match.split(/[-_.:/]/).reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** Hints that stand in many texts by chance, with what follows or comes before in a token. */
const COMMON: Readonly<Record<string, string>> = {
  pat: "pat[A-Za-z0-9]{14}\\.",
  cio: "cio[A-Za-z0-9]{32}",
  SK: "SK[a-f0-9]{32}",
  "-us": "[a-f0-9]-us\\d",
  "Q~": "Q~[\\w~.-]",
  ...Object.fromEntries(
    ["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"].map((two) => [two, `${two}[\\w-]{22}`]),
  ),
};
/**
 * Whether anything of these forms may stand in a text, or in the same text written as JSON. Most texts end here. The
 * hints have no edges of words: in JSON an escape, as in `\n`, may stand directly before.
 */
export const HINTS: readonly string[] = SHAPES.flatMap(({ hints }) => hints).map(
  (hint) => COMMON[hint] ?? hint.replace(/[.+]/g, "\\$&"),
);

export const mayHoldShapes = searchFor(HINTS);

export function mayHold(text: string, { hints }: Shape): boolean {
  return hints.some((hint) => text.includes(hint));
}

/** The first part is a user's number in base64. */
function hasDiscordId(token: string): boolean {
  return /^\d{17,20}$/.test(Buffer.from(token.slice(0, token.indexOf(".")), "base64url").toString("latin1"));
}

function isOpenAi(key: string): boolean {
  if (key.startsWith("sk-ant-")) return false;
  // Every key of theirs has the maker's name in base64 in its middle.
  if (/^sk-(?:proj-|svcacct-|admin-)?[\w-]{20,}T3BlbkFJ[\w-]{20,}$/.test(key)) return true;
  // Others of the same form, as OpenRouter's and DeepSeek's.
  return /^sk-(?:or-v1-[a-f0-9]{64}|[a-f0-9]{32}|[A-Za-z0-9]{48})$/.test(key) && /\d/.test(key);
}

/** Signed by somebody, and not the one from the manual or one that is made for every visitor. */
function isLiveJwt(token: string): boolean {
  const [head = "", claims = ""] = token.split(".").map((part) => Buffer.from(part, "base64url").toString("utf8"));
  if (!/^\s*\{.*"alg"\s*:\s*"(?!none")/s.test(head)) return false;
  return /^\s*\{.*\}\s*$/s.test(claims) && !/"1234567890"|John Doe|"role"\s*:\s*"anon"/.test(claims);
}

function hasKeyMaterial(block: string): boolean {
  const body = block
    .replace(/-----[^-\n]*-----/g, "")
    .replace(/\\[nr]/g, "")
    .replace(/^[\w-]+:.*$/gm, "")
    .replace(/[\s"'+,\\]/g, "");
  return /[A-Za-z0-9/+=]{60,}/.test(body) && new Set(body).size > 12;
}

/** `user:password@host`, with a password that is none of those in every tutorial. */
function isPasswordInAddress(login: string): boolean {
  const at = login.lastIndexOf("@");
  const colon = login.indexOf(":");
  const [user, password, host] = [login.slice(0, colon), login.slice(colon + 1, at), login.slice(at + 1)];
  if (password.length < 6 || password === user || isWeak(password) || /[[\](){}<>]/.test(password)) return false;
  if (/(?:^|\.)example\.(?:com|org|net)\b|\.(?:example|invalid|test)\b/.test(host)) return false;
  const isHere = /^(?:localhost|127\.|\[::1\]|0\.0\.0\.0|host\.docker\.internal)/.test(host);
  return !(isHere && /^[a-z]+\d{0,3}$/i.test(password));
}
