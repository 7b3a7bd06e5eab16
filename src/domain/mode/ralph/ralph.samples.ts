import type { JsonObject } from "../../../core/event.ts";
import { PROJECT } from "../../../testing/events.ts";
import { FAKE_NOW } from "../../../testing/fake-ports.ts";
import type { ModeReader } from "../machine.ts";
import { aRun } from "../mode.samples.ts";
import type { ModeRun } from "../mode-run.ts";
import { ralph } from "./machine.ts";

/** The text of a PRD with one story for each sign: `+` passes, `-` does not. Their ids begin with US-001. */
export function prdText(signs: string, more: JsonObject = {}): string {
  const userStories = [...signs].map((sign, index) => ({
    id: `US-00${index + 1}`,
    title: `Story ${index + 1}`,
    description: `As a person I want part ${index + 1}`,
    acceptanceCriteria: [`part ${index + 1} works`, "the tests pass"],
    priority: index + 1,
    passes: sign === "+",
    notes: "",
  }));
  return JSON.stringify({ project: "App", branchName: "main", description: "The app", userStories, ...more });
}

export const ROOT = `${PROJECT}/prd.json`;
export const IN_OMC = `${PROJECT}/.omc/prd.json`;
export const PROGRESS = `${PROJECT}/progress.txt`;

export const APPROVES = "I ran the tests.\n<architect-approved>VERIFIED_COMPLETE</architect-approved>";
export const rejects = (why: string): string => `<architect-rejected>${why}</architect-rejected>`;

/** A reader of files in memory; what it reads may change between two steps. */
export function readerOf(files: Readonly<Record<string, string>>): ModeReader {
  return {
    project: PROJECT,
    now: FAKE_NOW,
    text: (file, _about, digest) => (files[file] === undefined ? undefined : digest(files[file])),
    board: () => undefined,
  };
}

/** A run that was started while these files were there. */
export function startedWith(files: Readonly<Record<string, string>>, request = "fix the login"): ModeRun {
  const details = ralph.begin({ mode: "ralph", request }, readerOf(files));
  return aRun("ralph", { request, details });
}
