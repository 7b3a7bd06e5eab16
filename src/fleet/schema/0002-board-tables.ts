/**
 * The task board. A step locks the task first and the row of its board last: that row numbers the changes, so a change
 * with a higher number was made later, and readers miss none.
 */
export const boardTables = `
CREATE TABLE fleet.boards (
  board text PRIMARY KEY CHECK (length(board) BETWEEN 1 AND 300),
  round text NOT NULL DEFAULT gen_random_uuid()::text,
  started_at bigint NOT NULL,
  ended_at bigint,
  expected_agents int,
  last_task int NOT NULL DEFAULT 0,
  last_change bigint NOT NULL DEFAULT 0
);
CREATE TABLE fleet.tasks (
  board text NOT NULL REFERENCES fleet.boards (board) ON DELETE CASCADE,
  number int NOT NULL,
  text text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'claimed', 'done', 'failed')),
  priority int NOT NULL DEFAULT 0,
  -- How many of the tasks that it comes after are not done.
  waits_for int NOT NULL DEFAULT 0,
  machine text,
  agent text,
  epoch int NOT NULL DEFAULT 0,
  claimed_at bigint,
  lease_until bigint,
  ended_at bigint,
  result text,
  error text,
  -- Chosen by the caller, so that a call whose answer was lost can be repeated.
  add_token text,
  claim_token text,
  PRIMARY KEY (board, number)
);
CREATE INDEX tasks_next ON fleet.tasks (board, priority DESC, number) WHERE status = 'pending' AND waits_for = 0;
CREATE INDEX tasks_leases ON fleet.tasks (board, lease_until) WHERE status = 'claimed';
CREATE INDEX tasks_held ON fleet.tasks (board, machine, agent) WHERE status = 'claimed';
CREATE UNIQUE INDEX tasks_added ON fleet.tasks (board, add_token) WHERE add_token IS NOT NULL;
CREATE TABLE fleet.dependencies (
  board text NOT NULL,
  task int NOT NULL,
  needs int NOT NULL,
  PRIMARY KEY (board, task, needs),
  FOREIGN KEY (board, task) REFERENCES fleet.tasks (board, number) ON DELETE CASCADE
);
CREATE INDEX dependencies_needs ON fleet.dependencies (board, needs);
CREATE TABLE fleet.board_changes (
  board text NOT NULL REFERENCES fleet.boards (board) ON DELETE CASCADE,
  sequence bigint NOT NULL,
  at bigint NOT NULL,
  kind text NOT NULL,
  task int NOT NULL,
  machine text,
  agent text,
  epoch int NOT NULL,
  PRIMARY KEY (board, sequence)
);
CREATE INDEX board_changes_claims ON fleet.board_changes (board, task, machine, agent, epoch);
CREATE INDEX board_changes_agents ON fleet.board_changes (board, machine, agent, sequence);
CREATE TABLE fleet.board_agents (
  board text NOT NULL REFERENCES fleet.boards (board) ON DELETE CASCADE,
  machine text NOT NULL,
  agent text NOT NULL,
  beat_at bigint NOT NULL,
  PRIMARY KEY (board, machine, agent)
);
ALTER TABLE fleet.boards ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleet.tasks ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleet.dependencies ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleet.board_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleet.board_agents ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody ON fleet.boards FOR SELECT USING (true);
CREATE POLICY everybody ON fleet.tasks FOR SELECT USING (true);
CREATE POLICY everybody ON fleet.dependencies FOR SELECT USING (true);
CREATE POLICY everybody ON fleet.board_changes FOR SELECT USING (true);
CREATE POLICY everybody ON fleet.board_agents FOR SELECT USING (true);
GRANT SELECT ON fleet.boards, fleet.tasks, fleet.dependencies, fleet.board_changes, fleet.board_agents
  TO hookwright_machine, hookwright_auditor;
`;
