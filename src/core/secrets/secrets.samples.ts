import { ALNUM, BASE64, Chance, DIGITS, HEX, LOWER, type Maker, type Sample, UPPER } from "./chance.samples.ts";
import { base62, crc32 } from "./checksums.ts";

const withCrc =
  (prefix: string): Maker =>
  (c) => {
    const body = c.of(ALNUM, 30);
    return `${prefix}_${body}${base62(crc32(body), 6)}`;
  };
const jwt: Maker = (c) => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: c.of(HEX, 12), iat: 1_700_000_000 })}.${c.safe(43)}`;
};
const pem =
  (kind: string): Maker =>
  (c) =>
    `-----BEGIN ${kind}PRIVATE KEY-----\n${Array.from({ length: 6 }, () => c.of(BASE64, 64)).join("\n")}\n-----END ${kind}PRIVATE KEY-----`;
const age: Maker = (c) => {
  const charset = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
  const data = Array.from({ length: 52 }, () => Math.floor(c.next() * 32));
  const prefix = [..."age-secret-key-"].map((char) => char.charCodeAt(0));
  const values = [...prefix.map((x) => x >> 5), 0, ...prefix.map((x) => x & 31), ...data, 0, 0, 0, 0, 0, 0];
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].forEach((g, bit) => {
      if ((top >>> bit) & 1) sum ^= g;
    });
  }
  const check = Array.from({ length: 6 }, (_, at) => ((sum ^ 1) >>> (5 * (5 - at))) & 31);
  return `AGE-SECRET-KEY-1${[...data, ...check].map((at) => charset[at]).join("")}`.toUpperCase();
};
const password: Maker = (c) =>
  c.of(UPPER, 1) + c.of(LOWER, 3) + c.of(DIGITS, 2) + c.of("!#%^*", 1) + c.of(ALNUM, 4) + c.of(DIGITS, 1);

/** Makers of tokens that are known by their own form. */
const BY_FORM: Readonly<Record<string, Maker>> = {
  "age secret key": age,
  Airtable: (c) => `pat${c.of(ALNUM, 14)}.${c.of(HEX, 64)}`,
  Anthropic: (c) => `sk-ant-api03-${c.safe(93)}AA`,
  Atlassian: (c) => `ATATT3xFfGF0${c.safe(170)}=${c.of("0123456789ABCDEF", 8)}`,
  "AWS key id": (c) => `${c.pick(["AKIA", "ASIA"])}${c.of(`${UPPER}234567`, 16)}`,
  "Azure client secret": (c) => `${c.of(ALNUM, 3)}8Q~${c.of(`${ALNUM}_~.-`, 33)}${c.of(ALNUM, 1)}`,
  Buildkite: (c) => `bkua_${c.of(HEX, 40)}`,
  CircleCI: (c) => `CCIPAT_${c.of(ALNUM, 22)}_${c.of(HEX, 40)}`,
  "crates.io": (c) => `cio${c.of(ALNUM, 32)}`,
  Databricks: (c) => `dapi${c.of(HEX, 32)}`,
  DigitalOcean: (c) => `do${c.pick(["p", "o", "r"])}_v1_${c.of(HEX, 64)}`,
  Discord: (c) =>
    `${Buffer.from(`${1 + Math.floor(c.next() * 9)}${c.of(DIGITS, 17)}`).toString("base64url")}.${c.safe(6)}.${c.safe(38)}`,
  "Docker Hub": (c) => `dckr_pat_${c.safe(27)}`,
  Figma: (c) => `figd_${c.safe(40)}`,
  GitHub: (c) => withCrc(c.pick(["ghp", "gho", "ghu", "ghs", "ghr"]))(c),
  "GitHub fine-grained": (c) => `github_pat_${c.of(ALNUM, 22)}_${c.of(ALNUM, 59)}`,
  GitLab: (c) => `glpat-${c.safe(20)}`,
  "Google API key": (c) => `AIza${c.safe(35)}`,
  "Google OAuth secret": (c) => `GOCSPX-${c.safe(28)}`,
  "Google access token": (c) => `ya29.${c.safe(120)}`,
  Grafana: (c) => `glsa_${c.of(ALNUM, 32)}_${c.of(HEX, 8)}`,
  Groq: (c) => `gsk_${c.of(ALNUM, 52)}`,
  "Hugging Face": (c) => `hf_${c.of(LOWER + UPPER, 34)}`,
  "JSON web token": jwt,
  Linear: (c) => `lin_api_${c.of(ALNUM, 40)}`,
  Mailchimp: (c) => `${c.of(HEX, 32)}-us${1 + Math.floor(c.next() * 20)}`,
  Mailgun: (c) => `key-${c.of(HEX, 32)}`,
  "New Relic": (c) => `NRAK-${c.of(UPPER + DIGITS, 27)}`,
  Notion: (c) => `ntn_${c.of(DIGITS, 11)}${c.of(ALNUM, 35)}`,
  npm: withCrc("npm"),
  OpenAI: (c) => `sk-proj-${c.safe(74)}T3BlbkFJ${c.safe(74)}`,
  "OpenAI, older": (c) => `sk-${c.of(ALNUM, 20)}T3BlbkFJ${c.of(ALNUM, 20)}`,
  Postman: (c) => `PMAK-${c.of(HEX, 24)}-${c.of(HEX, 34)}`,
  "private key": (c) => pem(c.pick(["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "]))(c),
  Pulumi: (c) => `pul-${c.of(HEX, 40)}`,
  PyPI: (c) => `pypi-AgEIcHlwaS5vcmc${c.safe(150)}`,
  Replicate: (c) => `r8_${c.of(ALNUM, 37)}`,
  RubyGems: (c) => `rubygems_${c.of(HEX, 48)}`,
  SendGrid: (c) => `SG.${c.safe(22)}.${c.safe(43)}`,
  Sentry: (c) => `sntryu_${c.of(HEX, 64)}`,
  Shopify: (c) => `shpat_${c.of(HEX, 32)}`,
  Slack: (c) => `xoxb-${c.of(DIGITS, 12)}-${c.of(DIGITS, 13)}-${c.of(ALNUM, 24)}`,
  "Slack app": (c) => `xapp-1-A${c.of(UPPER + DIGITS, 10)}-${c.of(DIGITS, 13)}-${c.of(HEX, 64)}`,
  "Slack webhook": (c) =>
    `https://hooks.slack.com/services/T${c.of(UPPER + DIGITS, 10)}/B${c.of(UPPER + DIGITS, 10)}/${c.of(ALNUM, 24)}`,
  Square: (c) => `sq0atp-${c.safe(22)}`,
  Stripe: (c) => `${c.pick(["sk_live", "rk_live", "sk_test"])}_${c.of(ALNUM, c.pick([24, 99]))}`,
  "Stripe webhook": (c) => `whsec_${c.of(ALNUM, 32)}`,
  Tailscale: (c) => `tskey-auth-k${c.of(ALNUM, 11)}CNTRL-${c.of(ALNUM, 32)}`,
  Telegram: (c) => `${c.of("123456789", 1)}${c.of(DIGITS, 9)}:AA${c.safe(33)}`,
  "Terraform Cloud": (c) => `${c.of(ALNUM, 14)}.atlasv1.${c.safe(67)}`,
  Twilio: (c) => `SK${c.of(HEX, 32)}`,
  Vault: (c) => `hvs.${c.safe(90)}`,
  xAI: (c) => `xai-${c.of(ALNUM, 80)}`,
};

/** Where a token may stand that needs no word beside it. */
const AROUND: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => `const client = connect("${token}");`,
  (token) => `VALUE=${token}\n`,
  (token) => `  - name: ${JSON.stringify(token)}`,
  (token) => `see the note: ${token}, and thanks`,
];

/** Makers of whole lines: the secret is known only by what stands before it. */
const BY_NAME: Readonly<Record<string, (c: Chance) => readonly [text: string, secret: string]>> = {
  "AWS secret": (c) => beside("aws_secret_access_key = ", c.of(BASE64, 40)),
  "Azure storage": (c) => {
    const key = `${c.of(BASE64, 86)}==`;
    return [`DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${key};EndpointSuffix=core.windows.net`, key];
  },
  "database address": (c) => {
    const secret = c.of(ALNUM, 14) + c.of(DIGITS, 1);
    return [`${c.pick(["postgres", "mysql", "mongodb+srv", "redis", "amqps"])}://app:${secret}@db.shop.io/app`, secret];
  },
  "named password": (c) => {
    const secret = password(c);
    return c.pick([
      [`DB_PASSWORD=${secret}`, secret],
      [`password: "${secret}"`, secret],
      [`{"password": "${secret}"}`, secret],
    ] as const);
  },
  "named key": (c) => {
    const secret = c.pick([c.of(HEX, 32), c.of(ALNUM, 40), c.of(HEX, 64)]);
    return c.pick([
      [`API_KEY=${secret}`, secret],
      [`client_secret = '${secret}'`, secret],
      [`"authToken": "${secret}",`, secret],
      [`Proxy-Authorization: Bearer ${secret}`, secret],
      [`tool --api-key ${secret} run`, secret],
    ] as const);
  },
};

function beside(before: string, secret: string): readonly [string, string] {
  return [before + secret, secret];
}

export function madeSecrets(count: number, seed = 20_260_101): readonly Sample[] {
  const chance = new Chance(seed);
  const forms = Object.entries(BY_FORM).map(([shape, make]) => (): Sample => {
    const secret = make(chance);
    return {
      shape,
      text: chance.pick(AROUND)(secret),
      secret: secret.replace("https://hooks.slack.com/services/", ""),
    };
  });
  const names = Object.entries(BY_NAME).map(([shape, make]) => (): Sample => {
    const [text, secret] = make(chance);
    return { shape, text, secret };
  });
  const makers = [...forms, ...names];
  return Array.from({ length: count }, (_, at) => (makers[at % makers.length] as () => Sample)());
}
