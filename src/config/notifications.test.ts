import { describe, expect, it } from "vitest";
import { type CompiledConfig, type ConfigSource, compileConfig } from "./compile.ts";

const POLICY = "notifications/send";
const read = (mine: string, theirs = "", more: Partial<ConfigSource> = {}): Promise<CompiledConfig> =>
  compileConfig([
    { file: "/home/dev/.config/hookwright/config.yml", owner: "person", text: mine },
    { file: "/p/hookwright.yml", owner: "project", text: theirs, ...more },
  ]);
const webhook = "webhook: { url: 'https://hooks.example/x', secretFile: /k }";

describe("the key `notifications`", () => {
  it("turns them on by being there, unless the policy is off by name", async () => {
    expect((await read("")).policies[POLICY]).toBeUndefined();
    expect((await read("notifications:\n")).policies[POLICY]).toBeUndefined();
    expect((await read("notifications: { desktop: true }")).policies[POLICY]).toEqual({
      mode: "enforce",
      options: { desktop: true },
    });
    const off = `notifications: { desktop: true }\npolicies: { ${POLICY}: off }`;
    expect((await read(off)).policies[POLICY]).toMatchObject({ mode: "off" });
  });

  it.each([true, false])("means nothing in the file of a project, trusted: %s", async (trusted) => {
    const wishes = [
      `notifications: { ${webhook} }`,
      `policies: { ${POLICY}: { desktop: true } }`,
      `policies: { ${POLICY}: enforce }`,
    ];
    for (const theirs of wishes) {
      const { policies, problems } = await read("", theirs, { trusted });
      expect(policies[POLICY]).toBeUndefined();
      expect(problems.join()).toContain(`\`${POLICY}\` is ignored: only your own file may set it.`);
    }
    const off = `notifications: { desktop: true }\npolicies: { ${POLICY}: off }`;
    expect((await read(off, `policies: { ${POLICY}: enforce }`, { trusted })).policies[POLICY]).toMatchObject({
      mode: "off",
    });
  });

  it.each([
    "http://hooks.example/x",
    "http://127.0.0.1.example/x",
    "http://localhost@hooks.example/x",
    "ftp://hooks.example",
    "hooks.example",
  ])("does not take the address %s, which is not encrypted or none", async (url) => {
    const { policies, problems } = await read(`notifications: { webhook: { url: '${url}', secretFile: /k } }`);
    expect(policies[POLICY]?.options?.webhook).toBeUndefined();
    expect(problems.join()).toContain("`webhook.url`: takes an address that begins with `https://`");
  });

  it.each(["https://hooks.example/x?y=z", "http://127.0.0.1:8080/x", "http://me:pw@localhost:8080", "http://[::1]/"])(
    "takes the address %s",
    async (url) => {
      const { problems, policies } = await read(`notifications: { webhook: { url: '${url}', secretFile: /k } }`);
      expect(problems).toEqual([]);
      expect(policies[POLICY]?.options?.webhook).toEqual({ url, secretFile: "/k" });
    },
  );

  it.each(["25:00-07:00", "22:00", "10pm-7am"])("does not take the hours %s", async (hours) => {
    expect((await read(`notifications: { quiet: '${hours}' }`)).problems.join()).toContain("takes two times");
  });
});
