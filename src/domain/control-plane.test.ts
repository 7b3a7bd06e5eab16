import { expect, test } from "vitest";
import type { AnyEvent } from "../core/event.ts";
import { shellOf } from "../effects/shell-of-event.ts";
import { powershell, shell, USER_HOME } from "../testing/events.ts";
import { isControlPlane } from "./control-plane.ts";

test("a text of PowerShell is never nothing but steering the work", () => {
  const isSteering = (event: AnyEvent) => isControlPlane(shellOf(event, USER_HOME), "/opt/engine");
  expect(isSteering(shell("engine log done"))).toBe(true);
  expect(isSteering(powershell("engine log done"))).toBe(false);
  expect(isSteering(powershell("engine log done; Remove-Item src -Recurse"))).toBe(false);
});
