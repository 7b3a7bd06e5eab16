/** `approvals` in the person's configuration: where a permission request may be answered beside the agent's own dialog. */
export const APPROVALS = ["browser", "off"] as const;

/** The policy that this key turns on. No file of a project says anything of it. */
export const APPROVALS_POLICY = "permissions/browser";

/** How long the agent is told to wait for our answer to a permission request, and how long the answer takes at most. */
export const WAIT = { timeoutSeconds: 600, ms: 590_000 } as const;
