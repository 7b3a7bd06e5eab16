/**
 * A retry is found by its call, so most events need no row of their own among the keys; and one index finds what three
 * did. Every page that an event touches is written to disk before it is answered.
 */
export const calls = `
ALTER TABLE journal ADD COLUMN key TEXT NOT NULL DEFAULT '';
CREATE INDEX journal_of_call ON journal (session, tool_use_id, event, key);
DROP INDEX journal_session;
DROP INDEX journal_call;
`;
