/** The session of the events that doctor sends to try the client; no agent's session has such a name. */
export const DOCTOR_SESSION = "hookwright-doctor";
