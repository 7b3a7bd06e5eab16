/** The built command: a person sees what was stopped, and what they decide here holds for the next hook. */
import fs from "node:fs";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { toolCall } from "../../../../test/support/events.ts";
import type { Running } from "../../../../test/support/processes.ts";
import { LAUNCHER, World } from "../../../../test/support/world.ts";
import type {
  ConfigChange,
  DecisionDetail,
  DecisionsPage,
  ExplainAgain,
  NowPage,
  PolicyRow,
  ReplayProgress,
} from "../../../daemon/dashboard/api.ts";

const ROUTE = { client: "node", daemon: false } as const;
const PATH = process.env.PATH ?? "";
let world: World;
let calls = 0;
let running: Running;
let base = "";
let cookie = "";

beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const answer = async (command: string): Promise<string> => {
  const call = toolCall(world, `call-${++calls}`, "Bash", { command });
  const { stdout } = await world.send(call, ROUTE, { env: { PATH } });
  const said = stdout === "" ? {} : JSON.parse(stdout).hookSpecificOutput;
  return said?.permissionDecision ?? said?.additionalContext ?? "pass";
};

async function open(): Promise<void> {
  running = world.start([process.execPath, LAUNCHER, "dashboard", "--no-open"], { env: { PATH }, limitMs: 120_000 });
  const [, url = ""] = await running.sees("stdout", /(http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43})/);
  base = new URL(url).origin;
  const entered = await fetch(url, { redirect: "manual" });
  expect(entered.status).toBe(303);
  cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(base + path, { headers: { cookie } });
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
}

async function post(path: string, body: object = {}): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { cookie, origin: base, "content-type": "application/json" };
  const response = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

async function posted<T>(path: string, body: object = {}): Promise<T> {
  const { status, text } = await post(path, body);
  expect([path, status, text.slice(0, 500)]).toEqual([path, 200, expect.anything()]);
  return JSON.parse(text) as T;
}

async function newest(): Promise<DecisionDetail> {
  const { rows } = await get<DecisionsPage>("/api/decisions?event=tool.before&limit=1");
  return get<DecisionDetail>(`/api/decisions/${rows[0]?.id}`);
}

it("explains a denial, and allows it once", async () => {
  expect(await answer("git push --force")).toBe("deny");
  await open();
  const decision = await newest();
  expect(decision).toMatchObject({ ruling: "deny", policy: "safety/destructive-command", subject: "git push --force" });
  expect(decision.policies.find(({ policy }) => policy === decision.policy)?.verdicts[0]?.kind).toBe("deny");
  expect(decision.effects[0]).toMatchObject({ kind: "delete-remote-history", verdict: "deny" });
  expect(decision.reply.stdout).toContain("deny");
  const again = await posted<ExplainAgain>(`/api/decisions/${decision.id}/explain`);
  expect(again).toMatchObject({ ruling: "deny", policy: decision.policy });
  expect(await posted(`/api/decisions/${decision.id}/allow`)).toMatchObject({ shown: "git push --force" });
  expect(await answer("git push --force")).toContain("has allowed this once (Allowed in the dashboard.)");
  expect(await answer("git push --force")).toBe("deny");
  const { rows } = await get<DecisionsPage>("/api/decisions?event=command");
  expect(rows.map(({ subject }) => subject)).toContain(`hookwright dashboard allow ${decision.id}`);
  const { sessions } = await get<NowPage>("/api/now");
  expect(sessions).toMatchObject([{ state: "working", last: { ruling: "deny" } }]);
});

it("writes a narrow rule and a mode into the person's configuration, after a preview that writes nothing", async () => {
  fs.mkdirSync(path.join(world.project, "data"));
  fs.writeFileSync(path.join(world.project, "data", "a"), "x");
  const config = path.join(world.home, "config.yml");
  expect(await answer("rm -rf data")).toBe("ask");
  fs.writeFileSync(config, "# mine\nprofiles: [safety]\n");
  await open();
  const { id } = await newest();
  const preview = await posted<ConfigChange>(`/api/decisions/${id}/rule`, { isReplayed: true });
  expect(preview).toMatchObject({ isPreview: true, file: config, wouldHave: { replayed: expect.any(Number) } });
  expect(preview.diff).toContain("+  safety/destructive-command:\n");
  expect(preview.diff).toContain(`target: ${world.project}/data\n`);
  expect(fs.readFileSync(config, "utf8")).toBe("# mine\nprofiles: [safety]\n");
  expect(await answer("rm -rf data")).toBe("ask");
  await posted(`/api/decisions/${id}/rule`, { isPreview: false, reason: "made again" });
  expect(fs.readFileSync(config, "utf8")).toMatch(/^# mine\nprofiles: \[safety\]\npolicies:\n/);
  expect(await answer("rm -rf data")).toContain("pass");
  const mode = { id: "safety/destructive-command", mode: "observe", isPreview: false };
  expect((await posted<ConfigChange>("/api/policies/mode", mode)).diff).toContain("+    mode: observe");
  expect(await answer("git push --force")).toBe("pass");
  const rows = await get<PolicyRow[]>(`/api/policies?project=${encodeURIComponent(world.project)}`);
  expect(rows.find((row) => row.id === mode.id)).toMatchObject({ mode: "observe", wouldHaveDenied: 1, isOn: true });
  expect((await post("/api/policies/mode", { ...mode, id: "safety/nothing" })).status).toBe(409);
});

it("writes no rule that would allow more than this one command", async () => {
  expect(await answer("git push --force")).toBe("deny");
  await open();
  const { id } = await newest();
  const { status, text } = await post(`/api/decisions/${id}/rule`, { isPreview: false });
  expect([status, JSON.parse(text).error]).toEqual([409, expect.stringContaining("and nothing else")]);
  expect(fs.existsSync(path.join(world.home, "config.yml"))).toBe(false);
});

it("does not write what would break the configuration, or what it cannot change", async () => {
  expect(await answer("git push --force")).toBe("deny");
  const config = path.join(world.home, "config.yml");
  fs.writeFileSync(config, "policies: [broken\n");
  await open();
  const { status, text } = await post("/api/policies/mode", {
    id: "safety/own-commands",
    mode: "off",
    isPreview: false,
  });
  expect([status, JSON.parse(text).error]).toEqual([409, expect.stringContaining("Nothing was changed")]);
  expect(fs.readFileSync(config, "utf8")).toBe("policies: [broken\n");
});

it("replays what was recorded, with progress and samples", async () => {
  for (const command of ["git push --force", "ls", "git status"]) await answer(command);
  await open();
  const { text } = await post("/api/replay", { since: "1h", policy: "safety/destructive-command=off" });
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ReplayProgress);
  expect(lines.at(-1)).toMatchObject({
    kind: "done",
    summary: { newlyAllowed: 1, newlyDenied: 0 },
    samples: [{ change: "newly allowed", subject: "Bash: git push --force", outcome: "stopped" }],
  });
  const wrong = await post("/api/replay", { policy: "safety/nothing=off" });
  expect(JSON.parse(wrong.text)).toMatchObject({ kind: "failed", error: expect.stringContaining("safety/nothing") });
});

it("an agent neither starts it nor reaches its port, and it leaves nothing behind", async () => {
  expect(await answer("hookwright dashboard --no-open")).toBe("deny");
  await open();
  expect(await answer(`curl ${base}/api/now`)).toBe("deny");
  const folder = path.join(world.home, "dashboards");
  expect(fs.readdirSync(folder)).toHaveLength(1);
  for (const file of ["", ...fs.readdirSync(folder)]) {
    expect(fs.statSync(path.join(folder, file)).mode & 0o077).toBe(0);
  }
  const [name = ""] = fs.readdirSync(folder);
  running.kill("SIGINT");
  expect((await running.ended).exit).toBe(0);
  expect(fs.existsSync(path.join(folder, name))).toBe(false);
  expect(await answer(`curl ${base}/api/now`)).toBe("pass");
});

it("listens for other machines only where it is told to, and keeps agents from that port too", async () => {
  const port = await freePort();
  running = world.start([process.execPath, LAUNCHER, "dashboard", "--no-open", "--listen", `127.0.0.1:${port}`], {
    env: { PATH },
    limitMs: 120_000,
  });
  const [said] = await running.sees("stdout", new RegExp(`https://127\\.0\\.0\\.1:${port}/[^]*fingerprint.*\\n`));
  expect(said).toMatch(/code +\d{4}-\d{4}, which works once/);
  expect(said).toMatch(/fingerprint +(?:[0-9A-F]{2}:){31}[0-9A-F]{2} /);
  expect(await answer(`curl -k https://127.0.0.1:${port}/pair -d code=12345678`)).toBe("deny");
});

it("says what is wrong with a port", async () => {
  await open();
  const port = new URL(base).port;
  for (const [given, said] of [
    [port, "cannot listen on port"],
    ["70000", "`--port` takes a port number"],
    ["x", "`--port` takes a port number"],
  ]) {
    const { exit, stderr } = await world.hookwright("dashboard", "--no-open", "--port", given ?? "");
    expect([exit, stderr]).toEqual([1, expect.stringContaining(said ?? "")]);
  }
});

it("starts the browser with a private file instead of the address, and removes it once the token was used", async () => {
  const programs = path.join(world.root, "programs");
  const seen = path.join(world.root, "seen");
  fs.mkdirSync(programs);
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${seen}.args'\nstat -c %a "$1" > '${seen}.mode'\ncat "$1" > '${seen}'\n`;
  fs.writeFileSync(path.join(programs, "xdg-open"), script, { mode: 0o755 });
  const env = { PATH: `${programs}:${PATH}`, DISPLAY: ":0" };
  running = world.start([process.execPath, LAUNCHER, "dashboard"], { env, limitMs: 120_000 });
  const [, url = ""] = await running.sees("stdout", /(http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43})/);
  await expect.poll(() => fs.existsSync(seen) && fs.readFileSync(seen, "utf8"), { timeout: 10_000 }).toContain(url);
  const file = fs.readFileSync(`${seen}.args`, "utf8").trim();
  expect([path.dirname(file), fs.readFileSync(`${seen}.mode`, "utf8").trim()]).toEqual([world.home, "600"]);
  expect(fs.existsSync(file)).toBe(true);
  expect((await fetch(url, { redirect: "manual" })).status).toBe(303);
  expect(fs.existsSync(file)).toBe(false);
});
