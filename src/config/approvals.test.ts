import { describe, expect, it } from "vitest";
import { APPROVALS_POLICY as POLICY } from "../core/settings/approvals.ts";
import { type CompiledConfig, type ConfigSource, compileConfig } from "./compile.ts";

const read = (mine: string, theirs = "", more: Partial<ConfigSource> = {}): Promise<CompiledConfig> =>
  compileConfig([
    { file: "/home/dev/.config/hookwright/config.yml", owner: "person", text: mine },
    { file: "/p/hookwright.yml", owner: "project", text: theirs, ...more },
  ]);

describe("the key `approvals`", () => {
  it.each([
    ["", undefined],
    ["approvals:\n", undefined],
    ["approvals: off\n", "off"],
    ["approvals: browser\n", "enforce"],
    [`approvals: browser\npolicies: { ${POLICY}: observe }`, "observe"],
    [`policies: { ${POLICY}: enforce }`, "enforce"],
  ])("%j makes the mode %s", async (mine, mode) => {
    const { policies, problems } = await read(mine);
    expect([policies[POLICY]?.mode, problems]).toEqual([mode, []]);
  });

  it("keeps the list that stands under the name of the policy", async () => {
    const always = [{ tool: "Bash", command: "make release", project: "/p" }];
    const { policies } = await read(`approvals: browser\npolicies: { ${POLICY}: ${JSON.stringify({ always })} }`);
    expect(policies[POLICY]).toEqual({ mode: "enforce", options: { always } });
  });

  it.each(["true", "phone", "[browser]"])("does not take %s", async (value) => {
    const { policies, problems } = await read(`approvals: ${value}\n`);
    expect(policies[POLICY]).toBeUndefined();
    expect(problems.join()).toContain("`approvals` takes `browser` or `off`");
  });

  it.each([true, false])("means nothing in the file of a project, trusted: %s", async (trusted) => {
    const wishes = [
      "approvals: browser\n",
      `policies: { ${POLICY}: enforce }`,
      `policies: { ${POLICY}: { always: [{ tool: Bash, command: x, project: /p }] } }`,
    ];
    for (const theirs of wishes) {
      const { policies, problems } = await read("", theirs, { trusted });
      expect(policies[POLICY]).toBeUndefined();
      expect(problems.join()).toContain(`\`${POLICY}\` is ignored: only your own file may set it.`);
    }
    expect((await read("approvals: browser\n", "approvals: off\n", { trusted })).policies[POLICY]?.mode).toBe(
      "enforce",
    );
  });
});
