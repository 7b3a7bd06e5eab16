import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ErrorCode, HookwrightError } from "../core/errors.ts";
import { hookEntriesFor } from "./claude-code/install.ts";
import { eventsInSettings, hooksDisabled, installHooks, type Registration, removeHooks } from "./grouped-hooks.ts";
import type { InstallScope } from "./installer.ts";
import { jsonText } from "./json-parser.samples.ts";
import { parseJson } from "./json-parser.ts";
import { type CommandHandler, ownHandlersUnder } from "./own-handlers.ts";

const VERSIONS = '/home/a b/it\'s "here"/versions';
const isOurs = ownHandlersUnder(VERSIONS);
const C_CLIENT: CommandHandler = { command: `${VERSIONS}/0.1.0-abc/hook`, args: [] };
const NODE_CLIENT: CommandHandler = { command: "/usr/bin/node", args: [`${VERSIONS}/0.1.0-abc/hook.cjs`] };
const EVENTS = [
  { event: "PreToolUse", guarded: true },
  { event: "SessionEnd", guarded: false },
  { event: "Stop", guarded: false },
];

function registration(
  options: { client?: CommandHandler; scope?: InstallScope; profiles?: string[] } = {},
): Registration {
  const { client = C_CLIENT, scope = "user", profiles = [] } = options;
  return { file: "settings.json", isOurs, entries: hookEntriesFor({ events: EVENTS, scope, client, profiles }) };
}

const install = (text: string | undefined, options?: Parameters<typeof registration>[0]): string =>
  installHooks(text, registration(options));

const foreign = { type: "command", command: "/opt/hook", args: ["--via", "user"] };

function failing(code: ErrorCode, run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof HookwrightError)) throw error;
    expect(error.code).toBe(code);
    return error.message;
  }
  throw new Error(`${code} was expected`);
}

describe("what is registered", () => {
  const common = ["--reply", "json", "--via"];
  const cases: readonly (readonly [string, Parameters<typeof registration>[0], object[]])[] = [
    [
      "the compiled client",
      {},
      [
        { ...C_CLIENT, args: ["--event", "PreToolUse", ...common, "user"], timeout: 5, onFailure: "block" },
        { ...C_CLIENT, args: ["--event", "SessionEnd", ...common, "user", "--deadline-ms", "1200"], timeout: 1.5 },
        { ...C_CLIENT, args: ["--event", "Stop", ...common, "user"], timeout: 5 },
      ],
    ],
    [
      "the Node client with profiles",
      { client: NODE_CLIENT, profiles: ["safety", "ntm"] },
      ["PreToolUse", "SessionEnd", "Stop"].map((event) => ({
        command: "/usr/bin/node",
        args: [
          ...NODE_CLIENT.args,
          "--event",
          event,
          ...common,
          "user",
          "--profile",
          "safety,ntm",
          ...(event === "SessionEnd" ? ["--deadline-ms", "1200"] : []),
        ],
        timeout: event === "SessionEnd" ? 1.5 : 5,
        ...(event === "PreToolUse" ? { onFailure: "block" } : {}),
      })),
    ],
    [
      "a shared project file",
      { scope: "project" },
      [
        { command: "hookwright", args: ["hook", "--event", "PreToolUse", ...common, "project"], timeout: 5 },
        {
          command: "hookwright",
          args: ["hook", "--event", "SessionEnd", ...common, "project", "--deadline-ms", "1200"],
          timeout: 1.5,
        },
        { command: "hookwright", args: ["hook", "--event", "Stop", ...common, "project"], timeout: 5 },
      ],
    ],
  ];
  test.each(cases)("%s", (_name, options, handlers) => {
    const groups = handlers.map((handler) => [{ hooks: [{ type: "command", ...handler }] }]);
    expect(JSON.parse(install(undefined, options))).toEqual({
      hooks: Object.fromEntries(EVENTS.map(({ event }, i) => [event, groups[i]])),
    });
  });

  test("a new file looks like one the agent would write", () => {
    const text = install(undefined);
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    expect(install("\uFEFF \n")).toBe(`\uFEFF${text}`);
    expect(hooksDisabled(text)).toBe(false);
    expect(hooksDisabled('{"disableAllHooks": true}')).toBe(true);
  });
});

describe("ours and not ours", () => {
  const cases: readonly (readonly [boolean, string, string[]])[] = [
    [true, `${VERSIONS}/0.1.0-abc/hook`, []],
    [true, "/any/node", [`${VERSIONS}/9.9.9-x/hook.cjs`, "--event", "Stop"]],
    [true, "hookwright", ["hook", "--event", "Stop", "--via", "project"]],
    [true, "hookwright", ["hook", "--via=project"]],
    [false, "hookwright", ["hook", "--event", "Stop"]],
    [false, "hookwright", ["statusline", "--via", "x"]],
    [false, "hookwright hook --via user", []],
    [false, "/usr/bin/hookwright", ["hook", "--via", "project"]],
    [false, `${VERSIONS}/hook`, []],
    [false, `${VERSIONS}/a/b/hook`, []],
    [false, `${VERSIONS}/a/hook/b`, []],
    [false, `${VERSIONS}/a/hook2`, []],
    [false, `${VERSIONS}/../versions2/a/hook`, []],
    [false, `${VERSIONS}/../hook`, []],
    [false, "/elsewhere/versions/0.1.0-abc/hook", []],
    [false, "node", ["hook.cjs"]],
    [false, "sh", ["-c", `${VERSIONS}/0.1.0-abc/hook`]],
  ];
  test.each(cases)("%s: %s %j", (expected, command, args) => {
    expect(isOurs({ command, args })).toBe(expected);
  });
});

describe("merging", () => {
  test("installing twice changes nothing the second time", () => {
    for (const text of [
      undefined,
      "{}",
      '{"hooks":{"Stop":[]}}',
      `{"hooks":{"Stop":[{"hooks":[${JSON.stringify(foreign)}]}]}}`,
    ]) {
      const once = install(text);
      expect(install(once)).toBe(once);
    }
  });

  test("a new version takes the place of the old one, and an event no longer wanted goes", () => {
    const before = JSON.stringify({ hooks: { Stop: [{ hooks: [foreign] }] }, model: "x" }, null, 4);
    const old = installHooks(before, {
      ...registration({ client: { command: `${VERSIONS}/0.0.1-old/hook`, args: [] } }),
      entries: hookEntriesFor({
        events: [...EVENTS, { event: "Setup", guarded: false }],
        scope: "user",
        client: { command: `${VERSIONS}/0.0.1-old/hook`, args: [] },
        profiles: [],
      }),
    });
    expect(eventsInSettings(old, isOurs)).toContain("Setup");
    expect(install(old)).toBe(install(before));
    expect(install(install(before, { client: NODE_CLIENT, scope: "project" }))).toBe(install(before));
  });

  test("an entry below a matcher, doubled or in an overridden key is put right", () => {
    const ours = { type: "command", ...C_CLIENT, timeout: 60, async: true };
    const text = `{"hooks": {"Stop": [{"hooks": [${JSON.stringify(ours)}]}]}, "hooks": {"PreToolUse": ${JSON.stringify([
      { matcher: "Read", hooks: [ours, foreign] },
      { matcher: "*", hooks: [foreign, ours, ours] },
    ])}}}`;
    const expected: { hooks: Record<string, { hooks: object[] }[]> } = JSON.parse(install("{}"));
    const mine = expected.hooks.PreToolUse?.[0]?.hooks[0];
    expect(JSON.parse(install(text)).hooks).toEqual({
      ...expected.hooks,
      PreToolUse: [
        { matcher: "Read", hooks: [foreign] },
        { matcher: "*", hooks: [foreign, mine] },
      ],
    });
    expect(install(text)).not.toContain('"async"');
    expect(removeHooks(install(text), isOurs)).not.toContain(VERSIONS.slice(0, 8));
  });

  const shapes: readonly (readonly [text: string, message: string])[] = [
    ["[]", "the whole of it should be an object"],
    ['{"hooks": []}', "`hooks` should be an object"],
    ['{"hooks": {"Stop": {}}}', "`hooks.Stop` should be an array"],
    ['{"hooks": {"Stop": ["x"]}}', "`hooks.Stop[0]` should be an object"],
    ['{"hooks": {"Stop": [{"hooks": []}, {"matcher": "x"}]}}', "`hooks.Stop[1].hooks` should be an array"],
    ['{"hooks": {"PreToolUse": [{"hooks": [1]}]}}', "`hooks.PreToolUse[0].hooks[0]` should be an object"],
  ];
  test.each(shapes)("%s is refused", (text, message) => {
    expect(failing("HW_SETTINGS_SHAPE", () => install(text))).toBe(`settings.json: ${message}.`);
    expect(removeHooks(text, isOurs)).toBe(text);
  });

  test("an odd event that we do not join is left alone", () => {
    const text = '{"hooks": {"Whatever": 7}}';
    expect(removeHooks(install(text), isOurs)).toBe(text);
  });
});

describe("removing", () => {
  const group = JSON.parse(install("{}")).hooks.Stop[0];
  const shared = [{ hooks: [foreign] }];
  const cases: readonly { name: string; hooks: object; after: object; original?: string }[] = [
    {
      name: "a group shared with others stays",
      hooks: { Stop: [{ hooks: [foreign, ...group.hooks] }] },
      after: { hooks: { Stop: shared } },
    },
    { name: "an emptied group goes", hooks: { Stop: [group, ...shared] }, after: { hooks: { Stop: shared } } },
    { name: "an emptied event goes", hooks: { Stop: [group], Setup: [] }, after: { hooks: { Setup: [] } } },
    {
      name: "an emptied event that was there before stays",
      hooks: { Stop: [group] },
      after: { hooks: { Stop: [] } },
      original: '{"hooks":{"Stop":[]}}',
    },
    { name: "emptied hooks go", hooks: { Stop: [group] }, after: {} },
    {
      name: "emptied hooks that were there before stay",
      hooks: { Stop: [group] },
      after: { hooks: {} },
      original: '{"hooks":{}}',
    },
    { name: "empty hooks of someone else stay", hooks: {}, after: { hooks: {} } },
  ];
  test.each(cases)("$name", ({ hooks, after, original }) => {
    expect(JSON.parse(removeHooks(JSON.stringify({ hooks }), isOurs, original))).toEqual(after);
  });

  test("blank text stays blank", () => {
    expect(removeHooks(" \n", isOurs)).toBe(" \n");
  });

  const handlers = fc.array(fc.constant(foreign), { maxLength: 2 });
  const groups = fc.array(fc.record({ hooks: handlers }), { maxLength: 3 });
  const settings = fc.record(
    {
      model: fc.string(),
      hooks: fc.dictionary(fc.constantFrom("PreToolUse", "Stop", "Setup"), groups),
      env: fc.object(),
    },
    { requiredKeys: [] },
  );
  const printed = fc
    .tuple(settings, fc.constantFrom("", "  ", "    ", "\t"), fc.boolean(), fc.constantFrom("", "\n"))
    .map(([value, unit, windows, end]) => {
      const text = JSON.stringify(value, null, unit) + end;
      return windows ? text.replaceAll("\n", "\r\n") : text;
    });
  const anyText = fc.oneof(
    printed,
    jsonText.map(({ text }) => `{"a" : ${text} }`),
    jsonText.map(({ text }) => text).filter((text) => text.trim().startsWith("{")),
  );

  test("install, then remove, gives back the same bytes", () => {
    let reached = 0;
    fc.assert(
      fc.property(anyText, fc.constantFrom("user", "project"), (text, scope) => {
        let installed: string;
        try {
          installed = install(text, { scope });
        } catch (error) {
          expect(error).toMatchObject({ code: "HW_SETTINGS_SHAPE" });
          return;
        }
        reached++;
        expect(eventsInSettings(installed, isOurs).sort()).toEqual(EVENTS.map(({ event }) => event).sort());
        expect(parseJson(installed).root.kind).toBe("object");
        expect(install(installed, { scope })).toBe(installed);
        expect(removeHooks(installed, isOurs, text)).toBe(text);
      }),
      { numRuns: 1000 },
    );
    expect(reached).toBeGreaterThan(700);
  });
});
