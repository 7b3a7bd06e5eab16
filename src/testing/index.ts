/** Published as `hookwright/testing`. */

export * from "./events.ts";
export { FAKE_NOW, FAKE_UID, type FakeFile, type FakeWorld, fakePorts } from "./fake-ports.ts";
export { createSandbox, type Sandbox, type SandboxOptions, type Sent } from "./sandbox.ts";
export { type Case, type HitCase, type PolicyCases, testPolicy } from "./test-policy.ts";
