import { describe, expect, it } from "vitest";
import { fastestMs } from "../../test/support/cost.ts";
import { maskJson, maskText } from "./masking.ts";

const x = (length: number): string => "aB3d".repeat(length / 4 + 1).slice(0, length);

describe("what is a secret whatever stands around it", () => {
  it.each([
    `sk-ant-api03-${x(20)}`,
    `sk-proj-${x(24)}`,
    `ghp_${x(24)}`,
    `glpat-${x(20)}`,
    `xoxb-1234567890-${x(12)}`,
    `AIza${x(35)}`,
    `npm_${x(36)}`,
    `pypi-AgEI${x(40)}`,
    `sk_live_${x(20)}`,
    `rk_test_${x(20)}`,
    `hf_${x(34)}`,
    `SG.${x(22)}.${x(43)}`,
    `ya29.${x(30)}`,
    `dop_v1_${"0123456789abcdef".repeat(4)}`,
  ])("%s", (secret) => {
    expect(maskText(`before ${secret} after`)).toBe("before [masked] after");
  });
});

describe("what the words before it tell", () => {
  it.each([
    ["mysql --password hunter2x db", "mysql --password [masked] db"],
    ["tool --auth-token 'a b' -x", "tool --auth-token '[masked]' -x"],
    ["tool --api-key=abcdef123", "tool --api-key=[masked]"],
    ["PGPASSWORD=hunter2 psql", "PGPASSWORD=[masked] psql"],
    ['password="two words"', 'password="[masked]"'],
    ["{'api_key': 'a b c d'}", "{'api_key': '[masked]'}"],
    ["secret_key_base: 0123456789abcdef", "secret_key_base: [masked]"],
    ["AccountKey=abcdefgh0123==;Endpoint=x", "AccountKey=[masked];Endpoint=x"],
    ["passphrase=correct-horse", "passphrase=[masked]"],
    ["Authorization: Bearer abc.def-1", "Authorization: Bearer [masked]"],
    ["Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [masked]"],
    ["curl -u alice:s3cret http://x", "curl -u alice:[masked] http://x"],
    ['curl --user "alice:s3cret" http://x', 'curl --user "alice:[masked]" http://x'],
    ["redis://:s3cret@host:6379", "redis://:[masked]@host:6379"],
    ["postgres://app:s3cret@db/app", "postgres://app:[masked]@db/app"],
    [`https://hooks.slack.com/services/T0000/B0000/${x(24)} ok`, "https://hooks.slack.com/services/[masked] ok"],
  ])("%s", (text, masked) => {
    expect(maskText(text)).toBe(masked);
    // What is masked stays as it is when it is masked again.
    expect(maskText(masked)).toBe(masked);
  });
});

describe("what is none", () => {
  it.each([
    "the token is in the file",
    "basic training for beginners",
    "monkey: bananas and keyboard = qwertyuiop",
    "git config --get token.path",
    "docker run -u 1000:1000 image",
    "docker login --password-stdin",
    "max_tokens=100000",
    "https://host:8080/path and http://[::1]:80/@x",
    "cd /home/user && sudo -u postgres psql",
    "secret",
  ])("%s", (text) => {
    expect(maskText(text)).toBe(text);
  });
});

describe("fields", () => {
  it("lose their texts where their name says so, and keep their form", () => {
    const given = {
      apiKey: "a",
      DB_PASSWORD: ["b", 1, ["c"]],
      max_token: 5,
      "x-api-key": "d",
      note: "e",
      secret: { f: "g" },
    };
    expect(maskJson(given)).toEqual({
      ...{ apiKey: "[masked]", DB_PASSWORD: ["[masked]", 1, ["[masked]"]], max_token: 5, "x-api-key": "[masked]" },
      ...{ note: "e", secret: { f: "g" } },
    });
  });
});

describe("cost", () => {
  it("grows with the length of the text and not with its square", () => {
    const time = (length: number): number => {
      const texts = ["a", "a ", "-u ", "token", "key=", "://a:", "eyJ", '"password": "'].map((part) =>
        part.repeat(length / part.length),
      );
      return fastestMs(() => {
        for (const text of texts) maskText(`password ${text}`);
      });
    };
    time(10_000);
    const [short, long] = [time(80_000), time(640_000)];
    console.log(`80,000 characters of each kind: ${short.toFixed(1)} ms, 640,000: ${long.toFixed(1)} ms`);
    expect(long).toBeLessThan(40 * short);
  });
});
