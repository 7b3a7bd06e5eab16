/** A stop asks how many calls have run, so it has to find those that have not; they are few, and hardly any event writes here. */
export const refusedCalls = `
CREATE INDEX journal_refused ON journal (session, tool_use_id, key)
  WHERE event = 'tool.before' AND ruling IN ('deny', 'ask');
`;
