import { FleetClaims, fleetClaims } from "../../domain/claims/fleet-claims.ts";
import type { Database } from "../../state/database.ts";
import { openTable, projectScope } from "../../state/stores.ts";
import { edits, PROJECT, shell, toolBefore, writes } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./fleet-file.ts";

const FILE = `${PROJECT}/src/a.ts`;

/** As the link to the fleet writes it. */
const heldFor =
  (ms: number, project = PROJECT) =>
  (db: Database): void => {
    const table = openTable(
      db,
      projectScope({ agent: "", session: "", agentId: "", project }),
      fleetClaims.name,
      () => undefined,
    );
    const claim = {
      machine: "bee",
      agent: "codex",
      session: "22222222-aaaa",
      at: FAKE_NOW - 1,
      expiresAt: FAKE_NOW + ms,
    };
    new FleetClaims(table).set(FILE, claim);
  };
const seed = heldFor(60_000);
const other = toolBefore("Edit", { file_path: FILE, old_string: "a", new_string: "b" }, { session_id: "another" });
const options = { answer: "deny" };
const note = { says: "note", message: "note" } as const;

testPolicy(policy, {
  hit: [
    {
      name: "an edit",
      seed,
      event: edits(FILE),
      ...note,
      text: "src/a.ts is being edited on the machine bee (codex 22222222)",
    },
    { name: "a file that is written as a whole", seed, event: writes(FILE), ...note },
    { name: "a way around", seed, event: edits(`${PROJECT}/lib/../src/a.ts`), ...note },
    { name: "another session, after one was told", seed, after: [other], event: edits(FILE), ...note },
    {
      name: "with a denial",
      seed,
      options,
      event: edits(FILE),
      says: "deny",
      message: "taken",
      text: "on the machine bee",
    },
    {
      name: "with a denial, each time",
      seed,
      options,
      after: [edits(FILE)],
      event: edits(FILE),
      says: "deny",
      message: "taken",
    },
  ],
  pass: [
    { name: "nobody holds anything", event: edits(FILE) },
    { name: "another file", seed, event: edits(`${PROJECT}/src/b.ts`) },
    { name: "the session was told", seed, after: [edits(FILE)], event: edits(FILE) },
    { name: "the lease has ended", seed: heldFor(0), event: edits(FILE) },
    { name: "it is held in another project", seed: heldFor(60_000, "/home/dev/other"), event: edits(FILE) },
    { name: "reading", seed, event: toolBefore("Read", { file_path: FILE }) },
    { name: "a command that reads it", seed, event: shell("cat src/a.ts") },
  ],
});
