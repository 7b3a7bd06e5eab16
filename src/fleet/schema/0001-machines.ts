/**
 * Machines and their sessions. A machine is known by the role that it logs in with, so no argument of a function can name
 * another one: `fleet.this_machine()` asks the session. Functions with the rights of the owner have a fixed search path.
 */
export const machines = `
CREATE TABLE fleet.machines (
  name text PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,39}$'),
  role name NOT NULL UNIQUE,
  added_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz,
  -- The daemon has ended by itself and not been cut off.
  is_resting boolean NOT NULL DEFAULT false,
  build text NOT NULL DEFAULT '',
  -- How many entries of its journal wait to be copied.
  waiting bigint NOT NULL DEFAULT 0
);
CREATE TABLE fleet.sessions (
  machine text NOT NULL REFERENCES fleet.machines (name) ON DELETE CASCADE,
  agent text NOT NULL,
  session text NOT NULL,
  project text NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (machine, agent, session)
);

/** Milliseconds by the clock of the server, also for leases. */
CREATE FUNCTION fleet.now_ms() RETURNS bigint LANGUAGE sql VOLATILE
  AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

CREATE FUNCTION fleet.me() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$ SELECT name FROM fleet.machines WHERE role = session_user $$;

CREATE FUNCTION fleet.this_machine() RETURNS text LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE machine text := fleet.me();
BEGIN
  IF machine IS NULL THEN
    RAISE EXCEPTION 'the role % belongs to no machine of this fleet', session_user USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN machine;
END $$;

CREATE FUNCTION fleet.heartbeat(p_build text, p_waiting bigint, p_is_resting boolean) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE fleet.machines SET seen_at = clock_timestamp(), build = left(p_build, 100), waiting = p_waiting,
    is_resting = p_is_resting WHERE name = fleet.this_machine()
$$;

/** Rows of the form {agent, session, project, firstAt, lastAt}. */
CREATE FUNCTION fleet.report_sessions(p_rows jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO fleet.sessions (machine, agent, session, project, first_at, last_at)
  SELECT fleet.this_machine(), left(agent, 100), left(session, 200), left(project, 500), "firstAt", "lastAt"
  FROM jsonb_to_recordset(p_rows) AS row (agent text, session text, project text, "firstAt" bigint, "lastAt" bigint)
  ON CONFLICT (machine, agent, session) DO UPDATE
    SET project = excluded.project, last_at = greatest(sessions.last_at, excluded.last_at)
$$;

/** For an administrator: the role exists already. */
CREATE FUNCTION fleet.add_machine(p_name text, p_role name) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO fleet.machines (name, role) VALUES (p_name, p_role)
$$;

ALTER TABLE fleet.machines ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleet.sessions ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody ON fleet.machines FOR SELECT USING (true);
CREATE POLICY everybody ON fleet.sessions FOR SELECT USING (true);
GRANT SELECT ON fleet.machines, fleet.sessions TO hookwright_machine, hookwright_auditor;
GRANT EXECUTE ON FUNCTION fleet.now_ms(), fleet.me() TO hookwright_machine, hookwright_auditor;
GRANT EXECUTE ON FUNCTION fleet.heartbeat(text, bigint, boolean), fleet.report_sessions(jsonb), fleet.this_machine()
  TO hookwright_machine;
`;
