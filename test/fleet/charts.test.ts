/** The queries of the Grafana dashboard in the guide, run by an auditor on the real schema. */
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { FleetClient } from "../../src/fleet/connection/client.ts";
import { TestFleet } from "./fleet.ts";
import { PostgresServer, SECRET } from "./server.ts";

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly rawSql: string }[];
}

const FILE = path.join(import.meta.dirname, "../../docs/guides/fleet/grafana.json");
const { panels } = JSON.parse(fs.readFileSync(FILE, "utf8")) as { readonly panels: readonly Panel[] };
const NOW = Date.now();

let server: PostgresServer;
let fleet: TestFleet;
let auditor: FleetClient;

beforeAll(async () => {
  server = await PostgresServer.start();
  fleet = await TestFleet.make(server, "charts");
  const ant = fleet.client(await fleet.addMachine("ant"));
  const user = "grace";
  await fleet.admin.transaction([
    `CREATE ROLE ${user} LOGIN PASSWORD '${SECRET}'`,
    `GRANT hookwright_auditor TO ${user}`,
  ]);
  auditor = fleet.client({ ...fleet.admin.address, user });
  await ant.run("heartbeat('test', 3, false)");
  const entries = [1, 2, 3].map((seq) => ({
    ...{ seq, at: NOW, agent: "a", session: "s", agent_id: "", project: "/p", event: "tool.before", agent_event: "E" },
    ...{ tool: "Bash", ruling: seq === 3 ? "deny" : "pass", policy: seq === 3 ? "safety/x" : "", reason: "because" },
    ...{ microseconds: 2_000, body: "{}" },
  }));
  await ant.call("copy_journal('j', 0, 3, $1::text::jsonb)", JSON.stringify(entries));
  await ant.call("board_make('b', NULL)");
  await ant.call("board_add('b', 'x', 0, '{}', 't')");
});
afterAll(async () => {
  await fleet.close();
  await server.dispose();
});

/** What Grafana puts in the place of its macros. */
function expanded(sql: string): string {
  return sql
    .replace(
      /\$__timeFilter\((.*?\))\)/g,
      `$1 BETWEEN '${new Date(NOW - 60_000).toISOString()}' AND '${new Date(NOW + 60_000).toISOString()}'`,
    )
    .replace(/\$__timeGroupAlias\((.*?\)), '5m'\)/g, 'floor(extract(epoch from $1) / 300) * 300 AS "time"');
}

const EXPECTED: Readonly<Record<string, unknown>> = {
  "Events by ruling": [
    { metric: "deny", value: "1" },
    { metric: "pass", value: "2" },
  ],
  "Denials by policy": [{ policy: "safety/x", denials: "1", machines: "1" }],
  Machines: [{ name: "ant", entries_to_copy: "3", is_resting: false }],
  "Slowest decisions, 99th percentile in milliseconds": [{ metric: "ant", value: 2 }],
  "Last denials": [{ machine: "ant", project: "/p", tool: "Bash", policy: "safety/x", reason: "because" }],
  "Open tasks of the boards": [{ board: "b", status: "pending", tasks: "1" }],
  "Entries missing from the copy": [],
};

it("are all tested", () => {
  expect(panels.map(({ title }) => title)).toEqual(Object.keys(EXPECTED));
});

it.each(panels.map(({ title, targets }) => ({ title, sql: targets[0]?.rawSql ?? "" })))(
  "$title",
  async ({ title, sql }) => {
    const rows = await auditor.rows<{ metric?: string }>(expanded(sql));
    const sorted = rows.map((row) => ({ ...row })).sort((a, b) => String(a.metric).localeCompare(String(b.metric)));
    expect(sorted).toMatchObject(EXPECTED[title] as object);
    expect(sorted).toHaveLength((EXPECTED[title] as unknown[]).length);
  },
);

it("an entry that the server has lost is shown as missing", async () => {
  await fleet.asOwner("DELETE FROM fleet.journal WHERE seq = 2");
  const sql = panels.find(({ title }) => title.startsWith("Entries missing"))?.targets[0]?.rawSql ?? "";
  expect(await auditor.rows(expanded(sql))).toMatchObject([{ machine: "ant", after: "0", upto: "3", missing: "1" }]);
});
