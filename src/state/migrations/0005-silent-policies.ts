/** The policies that said nothing about an event: nearly the same list for most events, so each list is stored once. */
export const silentPolicies = `
CREATE TABLE silent_lists (id INTEGER PRIMARY KEY, policies TEXT NOT NULL UNIQUE);
ALTER TABLE journal ADD COLUMN silent INTEGER;
`;
