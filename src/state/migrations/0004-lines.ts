/** Lines for files that other programs read, such as an audit trail; see ../appended-lines.ts. */
export const lines = `
CREATE TABLE lines (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  key TEXT NOT NULL,
  line TEXT NOT NULL,
  at INTEGER NOT NULL,
  is_written INTEGER NOT NULL DEFAULT 0,
  UNIQUE (path, key)
);
CREATE INDEX lines_open ON lines (id) WHERE is_written = 0;
`;
