/** The tables of oh-my-claudecode's swarm, kept for programs that read them. Times are in milliseconds. */
export const BASE_TABLES = `
CREATE TABLE IF NOT EXISTS schema_info (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS swarm_session (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  session_id TEXT NOT NULL,
  active INTEGER NOT NULL DEFAULT 0,
  agent_count INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  completed_at INTEGER
);
CREATE TABLE IF NOT EXISTS tasks (
  id TEXT PRIMARY KEY,
  description TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'claimed', 'done', 'failed')),
  claimed_by TEXT,
  claimed_at INTEGER,
  completed_at INTEGER,
  error TEXT,
  result TEXT
);
CREATE TABLE IF NOT EXISTS heartbeats (
  agent_id TEXT PRIMARY KEY,
  last_heartbeat INTEGER NOT NULL,
  current_task_id TEXT
);
CREATE INDEX IF NOT EXISTS idx_tasks_status ON tasks (status);
CREATE INDEX IF NOT EXISTS idx_tasks_claimed_by ON tasks (claimed_by);
CREATE INDEX IF NOT EXISTS idx_heartbeats_last ON heartbeats (last_heartbeat);
INSERT OR IGNORE INTO schema_info (key, value) VALUES ('version', '1');
`;

/** Our additional columns. A task with the number 0 was added by the other system and has no values in them yet. */
export const TASK_COLUMNS: Readonly<Record<string, string>> = {
  number: "INTEGER NOT NULL DEFAULT 0",
  priority: "INTEGER NOT NULL DEFAULT 0",
  epoch: "INTEGER NOT NULL DEFAULT 0",
  lease_until: "INTEGER",
};

export const OWN_TABLES = `
CREATE UNIQUE INDEX IF NOT EXISTS tasks_number ON tasks (number) WHERE number > 0;
CREATE INDEX IF NOT EXISTS tasks_next ON tasks (status, priority DESC, number);
CREATE TABLE IF NOT EXISTS dependencies (
  task TEXT NOT NULL,
  needs TEXT NOT NULL,
  PRIMARY KEY (task, needs)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS history (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  task TEXT NOT NULL,
  agent TEXT,
  epoch INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS history_claims ON history (task, agent, epoch);
CREATE INDEX IF NOT EXISTS history_agents ON history (agent, kind, sequence);
`;

/** Stored in `user_version`: only a board that we have created or imported has it. */
export const BOARD_VERSION = 1;

/** The key in `schema_info` of the time at which the swarm was ended; removed when a new round begins. */
export const ENDED_AT = "ended_at";
/** The key in `schema_info` of the highest epoch of the archived tasks. */
export const LAST_EPOCH = "last_epoch";
