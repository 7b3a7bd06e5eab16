import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { it } from "vitest";
import { sized } from "../../../test/support/long.ts";
import { AGENTS, assertRules } from "./board-rules.samples.ts";
import { makeBoard, openBoard } from "./open-board.ts";

it("claims no task twice at once, loses none, finishes each once and keeps the order, whatever the agents do", () =>
  assertRules(
    async () => {
      let time = 0;
      const now = (): number => time;
      const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-board-")));
      makeBoard(root, {}, { now, uid: process.getuid?.() ?? 0 });
      const boards = new Map(AGENTS.map((name) => [name, openBoard(root, now)]));
      return {
        boardOf: (name) => boards.get(name) ?? openBoard(root, now),
        async setNow(ms) {
          time = ms;
        },
        async dispose() {
          for (const board of boards.values()) await board.close();
          fs.rmSync(root, { recursive: true, force: true });
        },
      };
    },
    sized(60, 1_000),
  ));
