/** Which policies said nothing of an event: much the same list for most events, so each list is kept once. */
export const silentPolicies = `
CREATE TABLE silent_lists (id INTEGER PRIMARY KEY, policies TEXT NOT NULL UNIQUE);
ALTER TABLE journal ADD COLUMN silent INTEGER;
`;
