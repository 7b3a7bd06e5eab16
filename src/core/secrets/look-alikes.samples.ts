import { ALNUM, BASE64, Chance, DIGITS, HEX, LOWER, type Maker, type Sample } from "./chance.samples.ts";

const WORDS = ["user", "session", "reset", "login", "billing", "report", "cache", "queue", "worker", "index"];
const word = (c: Chance): string => c.pick(WORDS);
const camel = (c: Chance): string => `${word(c)}${word(c).replace(/^./, (first) => first.toUpperCase())}`;
const uuid = (c: Chance): string => [8, 4, 4, 4, 12].map((length) => c.of(HEX, length)).join("-");

/** What looks like a secret to a careless eye and is none. */
const LOOK_ALIKES: Readonly<Record<string, Maker>> = {
  "GitHub token, wrong checksum": (c) => `token: ghp_${c.of(LOWER, 36)}`,
  "npm token, wrong checksum": (c) => `see npm_${c.of(ALNUM, 36)} in the log`,
  "age key, wrong checksum": (c) => `AGE-SECRET-KEY-1${c.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)}`,
  "token of one letter": (c) => {
    const letter = c.of(ALNUM, 1).repeat(40);
    return c.pick([`glpat-${letter.slice(0, 20)}`, `AIza${letter.slice(0, 35)}`, `sk_live_${letter.slice(0, 24)}`]);
  },
  "placeholder in a token": (c) =>
    c.pick([`sk-ant-api03-your-key-here-${word(c)}`, "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "glpat-<your-token>"]),
  "documented example": (c) =>
    c.pick([
      "AKIAIOSFODNN7EXAMPLE",
      "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    ]),
  variable: (c) =>
    c.pick([
      `API_KEY=$${word(c).toUpperCase()}_KEY`,
      `password: \${{ secrets.${word(c).toUpperCase()}_PASSWORD }}`,
      `token = "{{ vault_${word(c)}_token }}"`,
      `postgres://app:\${DB_PASSWORD}@db/${word(c)}`,
      "Proxy-Authorization: Bearer $TOKEN",
    ]),
  code: (c) =>
    c.pick([
      `const token = await ${camel(c)}.getToken(request);`,
      `password: process.env.${word(c).toUpperCase()}_PASSWORD,`,
      `secret = os.environ["${word(c).toUpperCase()}_SECRET_2"]`,
      `token: req.headers.authorization2,`,
      `password: z.string().min(12).max(128),`,
      `apiKey: import.meta.env.VITE_${word(c).toUpperCase()}_KEY1,`,
    ]),
  identifier: (c) =>
    c.pick([
      `token: ${camel(c)}Token2`,
      `secretName: "${word(c)}-tls-2024"`,
      `password_field = "${word(c)}_password_input"`,
      `csrfToken: '${word(c)}-csrf-v2'`,
      `tokenType: "urn:ietf:params:oauth:token-type:jwt"`,
    ]),
  "weak password": (c) =>
    c.pick([
      "POSTGRES_PASSWORD=postgres",
      "password: changeme123",
      'password = "password123"',
      `mysql://root:root@localhost/${word(c)}`,
      "redis://:secret@localhost:6379",
      "MINIO_ROOT_PASSWORD=minioadmin",
      `postgres://user:password@example.com/${word(c)}`,
    ]),
  "gap to fill in": (c) =>
    c.pick([
      "API_KEY=<your api key>",
      "SECRET_KEY=",
      "token: REPLACE_ME_WITH_A_TOKEN_1",
      `password: "***************"`,
      `client_secret: your-${word(c)}-secret-here`,
    ]),
  commit: (c) => c.pick([`commit ${c.of(HEX, 40)}`, `uses: actions/checkout@${c.of(HEX, 40)}`]),
  integrity: (c) => `"integrity": "sha512-${c.of(BASE64, 86)}==",`,
  digest: (c) => c.pick([`image: app@sha256:${c.of(HEX, 64)}`, `etag: "${c.of(HEX, 32)}"`]),
  uuid: (c) => c.pick([`id: ${uuid(c)}`, `"requestId": "${uuid(c)}"`, `tokenId = "${uuid(c)}"`]),
  hashed: (c) => c.pick([`password: "$2b$12$${c.of(ALNUM, 53)}"`, `token: "sha256:${c.of(HEX, 64)}"`]),
  image: (c) => `background: url(data:image/png;base64,${c.of(BASE64, 120)}=)`,
  "public key": (c) =>
    c.pick([
      `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${c.of(BASE64, 43)} dev@shop.io`,
      `-----BEGIN PUBLIC KEY-----\n${c.of(BASE64, 64)}\n-----END PUBLIC KEY-----`,
      `-----BEGIN CERTIFICATE-----\n${c.of(BASE64, 64)}\n-----END CERTIFICATE-----`,
      `pk_live_${c.of(ALNUM, 24)}`,
    ]),
  "empty private key": (c) =>
    c.pick([
      "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
      'if (text.includes("BEGIN RSA PRIVATE KEY"))',
    ]),
  "unsigned or no web token": (c) =>
    c.pick([`eyJ${c.of(ALNUM, 20)}.eyJ${c.of(ALNUM, 30)}.${c.of(ALNUM, 43)}`, `eyJ${c.of(ALNUM, 90)}`]),
  "too short": (c) =>
    c.pick([`AIza${c.of(ALNUM, 31)}`, `SG.${c.of(ALNUM, 17)}.${c.of(ALNUM, 17)}`, `github_pat_${c.of(ALNUM, 30)}`]),
  address: (c) =>
    c.pick([
      `https://${word(c)}.shop.io:8443/path?token_type=bearer`,
      `git@github.com:shop/${word(c)}.git`,
      "http://[::1]:8080/@scope/package",
      `token_url: https://login.shop.io/oauth2/v2.0/${word(c)}`,
    ]),
  path: (c) =>
    c.pick([
      `SECRET_KEY_FILE=/run/secrets/${word(c)}_key_1`,
      "private_key: ./certs/dev-server-2.pem",
      "key=~/.ssh/id_2",
    ]),
  text: (c) =>
    c.pick([
      "The token is rotated every 30 days by the platform team.",
      "Password: must have 12 characters, 1 digit and 1 sign",
      `max_tokens=${c.of(DIGITS, 5)}, token_count: ${c.of("123456789", 9)}`,
      "Bearer authentication is described in RFC6750.",
    ]),
};

export function madeLookAlikes(count: number, seed = 20_260_102): readonly Sample[] {
  const chance = new Chance(seed);
  const makers = Object.entries(LOOK_ALIKES);
  return Array.from({ length: count }, (_, at) => {
    const [shape, make] = makers[at % makers.length] as (typeof makers)[number];
    const text = make(chance);
    return { shape, text, secret: text };
  });
}
