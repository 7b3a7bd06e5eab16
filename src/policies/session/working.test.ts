import { describe, expect, it } from "vitest";
import { lifecycle } from "../../domain/lifecycle/store.ts";
import { bash, hasRun } from "../../domain/session/session.samples.ts";
import { openTable } from "../../state/stores.ts";
import { prompt, SESSION } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./working.ts";

describe("an agent's activity", () => {
  it("is working from the prompt on, and a call changes nothing about that", async () => {
    const sandbox = createSandbox([policy]);
    const activity = () =>
      lifecycle.open(openTable(sandbox.db, `session:claude-code:${SESSION}`, lifecycle.name)).activity();
    await sandbox.send(hasRun(bash("make")));
    expect(activity()).toBe("");
    await sandbox.send(prompt("go"));
    expect(activity()).toBe("working");
    await sandbox.send(hasRun(bash("make")));
    expect(activity()).toBe("working");
    sandbox.close();
  });
});

testPolicy(policy, { hit: [], pass: [{ name: "a prompt: nothing is said", event: prompt("go") }] });
