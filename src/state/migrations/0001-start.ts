/** Additive only: an older build must still decide on a database that a newer one has opened. */
export const start = `
CREATE TABLE journal (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  project TEXT NOT NULL,
  event TEXT NOT NULL,
  agent_event TEXT NOT NULL,
  tool TEXT NOT NULL,
  tool_use_id TEXT NOT NULL,
  ruling TEXT NOT NULL,
  policy TEXT NOT NULL,
  reason TEXT NOT NULL,
  microseconds INTEGER NOT NULL,
  body TEXT NOT NULL,
  verdicts TEXT NOT NULL,
  facts TEXT NOT NULL,
  reply TEXT NOT NULL
);
CREATE INDEX journal_session ON journal (session, id);
CREATE INDEX journal_call ON journal (tool_use_id, event) WHERE tool_use_id <> '';
CREATE INDEX journal_denied ON journal (id) WHERE ruling = 'deny';
CREATE TABLE keys (
  key TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  journal INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE revisions (scope TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE sessions (
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  via TEXT NOT NULL,
  project TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  events INTEGER NOT NULL,
  tool_calls INTEGER NOT NULL,
  flags TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (agent, session)
) WITHOUT ROWID;
CREATE TABLE arbiters (
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (agent, session, agent_id)
) WITHOUT ROWID;
CREATE TABLE entries (
  scope TEXT NOT NULL,
  store TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (scope, store, key)
) WITHOUT ROWID;
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  event TEXT NOT NULL,
  policy TEXT NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  delivered_by INTEGER
);
CREATE INDEX outbox_pending ON outbox (agent, session, event) WHERE delivered_by IS NULL;
CREATE TABLE mirrors (
  path TEXT PRIMARY KEY,
  content TEXT,
  is_written INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX mirrors_open ON mirrors (path) WHERE is_written = 0;
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  args TEXT NOT NULL,
  env TEXT NOT NULL,
  at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  error TEXT NOT NULL DEFAULT '',
  done_at INTEGER
);
CREATE INDEX jobs_open ON jobs (due_at) WHERE done_at IS NULL;
`;
