import type { AnyEvent } from "../../core/event.ts";
import type { When } from "../../core/policy.ts";
import { defineStore } from "../../core/store.ts";
import { syncModes } from "./files/sync.ts";
import { ModeRuns } from "./mode-runs.ts";
import { MODE_STORE } from "./modes.ts";

/** The runs of a project's modes. The database is authoritative; the state files are exports of it. */
export const modeRuns = defineStore({
  name: MODE_STORE,
  scope: "project",
  open: (table) => new ModeRuns(table),
  sync: (table, look) => syncModes(new ModeRuns(table), look),
});

/** Has the event's session a run of any mode? */
export const hasRuns: When<ModeRuns> = (event: AnyEvent, _ctx, store) => store.of(event.session).length > 0;
