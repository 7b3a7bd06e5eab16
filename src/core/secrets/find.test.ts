import { describe, expect, it } from "vitest";
import { fastestMs } from "../../../test/support/cost.ts";
import { crc32, isBech32 } from "./checksums.ts";
import { findSecrets } from "./find.ts";
import { madeLookAlikes } from "./look-alikes.samples.ts";
import { madeSecrets } from "./secrets.samples.ts";
import { SHAPES } from "./shapes.ts";

const MADE = 500;

describe("secrets and look-alikes made by chance", () => {
  const secrets = madeSecrets(MADE);
  const lookAlikes = madeLookAlikes(MADE);

  it("are of many shapes", () => {
    expect(SHAPES.length).toBeGreaterThanOrEqual(40);
    expect(new Set(SHAPES.map(({ name }) => name)).size).toBe(SHAPES.length);
    expect(new Set(secrets.map(({ shape }) => shape)).size).toBeGreaterThanOrEqual(40);
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(MADE);
  });

  it("secrets are found, exactly where they are", () => {
    const missed = secrets.filter(({ text, secret }) => !findSecrets(text).some(({ value }) => covers(value, secret)));
    console.log(table("found", secrets, missed));
    expect(1 - missed.length / MADE, JSON.stringify(missed, null, 1)).toBeGreaterThanOrEqual(0.98);
  });

  it("look-alikes are not", () => {
    const alarms = lookAlikes.filter(({ text }) => findSecrets(text).length > 0);
    console.log(table("passed", lookAlikes, alarms));
    expect(alarms.length / MADE, JSON.stringify(alarms, null, 1)).toBeLessThanOrEqual(0.01);
  });

  it("the place that is told is the place where it stands", () => {
    for (const { text } of secrets)
      for (const { start, value } of findSecrets(text)) expect(text.slice(start, start + value.length)).toBe(value);
  });
});

/** An address is told with its user and host, a key with its name left out. */
function covers(value: string, secret: string): boolean {
  return value.replaceAll("\\n", "\n").includes(secret) && value.length <= secret.length + 40;
}

function table(what: string, all: readonly { shape: string }[], wrong: readonly { shape: string }[]): string {
  const shapes = [...new Set(all.map(({ shape }) => shape))];
  const lines = shapes.map((shape) => {
    const count = all.filter((one) => one.shape === shape).length;
    return `  ${shape}: ${count - wrong.filter((one) => one.shape === shape).length} of ${count}`;
  });
  return [`${what}: ${all.length - wrong.length} of ${all.length}`, ...lines].join("\n");
}

describe("checksums", () => {
  it("are the ones that everybody computes", () => {
    expect(crc32("123456789")).toBe(0xcbf43926);
    expect(isBech32("A12UEL5L")).toBe(true);
    expect(isBech32("A12UEL5M")).toBe(false);
  });
});

describe("a line", () => {
  it.each([
    ['export GITHUB_PASSWORD="Tr0ub4dor&3x"', ["Tr0ub4dor&3x"]],
    ["mysql -h db -u root --password Zk4!pq9Lw2 shop", ["Zk4!pq9Lw2"]],
    ["curl -u deploy:Zk4pq9Lw2X0 https://x.io", ["Zk4pq9Lw2X0"]],
    ["password = 'correct horse battery staple'", []],
    ["password=correct-horse-battery", []],
    ["", []],
  ])("%s", (text, values) => {
    expect(findSecrets(text).map(({ value }) => value)).toEqual(values);
  });

  it("that names the same secret twice tells it twice, and one place once", () => {
    const key = "9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c";
    expect(findSecrets(`api_key=${key} token=${key}`)).toHaveLength(2);
    expect(findSecrets(`MAILGUN_API_KEY=key-${key}`)).toHaveLength(1);
  });
});

describe("cost", () => {
  it("grows with the length of the text and not with its square", () => {
    const parts = [
      "a",
      "password=",
      "eyJ",
      "://a:",
      "-----BEGIN PRIVATE KEY-----\n",
      "ghp_",
      "SK",
      "token: 'a",
      "sk-a ",
    ];
    const time = (length: number): number => {
      const texts = [
        ...parts,
        madeSecrets(50)
          .map(({ text }) => text)
          .join("\n"),
      ].map((part) => part.repeat(Math.ceil(length / part.length)));
      return fastestMs(() => {
        for (const text of texts) findSecrets(text);
      }, 2);
    };
    time(20_000);
    const [short, long] = [time(125_000), time(1_000_000)];
    console.log(`125 kB of each kind: ${short.toFixed(0)} ms, 1 MB: ${long.toFixed(0)} ms`);
    expect(long).toBeLessThan(40 * short);
  });
});
