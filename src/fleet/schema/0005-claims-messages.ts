/** Claims of files across machines, and messages between the people or agents that lead. */
export const claimsAndMessages = `
-- The first session that edits a file holds it until its lease ends. Files are named by project, because checkouts of one
-- project lie in different folders.
CREATE TABLE fleet.path_claims (
  project text NOT NULL,
  path text NOT NULL,
  machine text NOT NULL REFERENCES fleet.machines (name) ON DELETE CASCADE,
  agent text NOT NULL,
  session text NOT NULL,
  claimed_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (project, path)
);
CREATE INDEX path_claims_machine ON fleet.path_claims (machine);

CREATE FUNCTION fleet.wanted_claims(p_rows jsonb)
RETURNS TABLE (project text, path text, agent text, session text, lease bigint) LANGUAGE sql IMMUTABLE AS $$
  SELECT DISTINCT ON (1, 2) left(row.project, 500), left(row.path, 1000), left(row.agent, 100), left(row.session, 200),
    least(row."leaseMs", 86400000)
  FROM jsonb_to_recordset(p_rows) AS row (project text, path text, agent text, session text, "leaseMs" bigint)
  WHERE row."leaseMs" > 0 ORDER BY 1, 2
$$;

/**
 * Rows of the form {project, path, agent, session, leaseMs}. A file that another session holds stays with it; returns how
 * many of the files are. What the machine claimed before and does not name now is released.
 */
CREATE FUNCTION fleet.claim_paths(p_rows jsonb) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE me text := fleet.this_machine(); moment bigint := fleet.now_ms(); begun int; held int; gone int; asked int;
BEGIN
  SELECT count(*) INTO asked FROM fleet.wanted_claims(p_rows);
  DELETE FROM fleet.path_claims AS old WHERE machine = me AND NOT EXISTS (SELECT 1 FROM fleet.wanted_claims(p_rows) AS wanted
    WHERE wanted.project = old.project AND wanted.path = old.path AND wanted.session = old.session);
  GET DIAGNOSTICS gone = ROW_COUNT;
  WITH written AS (
    INSERT INTO fleet.path_claims AS claim (project, path, machine, agent, session, claimed_at, expires_at)
    SELECT project, path, me, agent, session, moment, moment + lease FROM fleet.wanted_claims(p_rows)
    ON CONFLICT (project, path) DO UPDATE SET machine = me, agent = excluded.agent, session = excluded.session,
      claimed_at = CASE WHEN claim.machine = me AND claim.session = excluded.session THEN claim.claimed_at
        ELSE excluded.claimed_at END,
      expires_at = excluded.expires_at
      WHERE (claim.machine = me AND claim.session = excluded.session) OR claim.expires_at <= moment
    RETURNING claim.claimed_at
  ) SELECT count(*), count(*) FILTER (WHERE claimed_at = moment) INTO held, begun FROM written;
  IF begun + gone > 0 THEN PERFORM pg_notify('hookwright', 'claims'); END IF;
  RETURN asked - held;
END $$;

/** What other machines hold in these projects. */
CREATE FUNCTION fleet.foreign_claims(p_projects text[]) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('project', project, 'path', path, 'machine', machine, 'agent', agent,
    'session', session, 'heldForMs', fleet.now_ms() - claimed_at, 'leaseMs', expires_at - fleet.now_ms())
    ORDER BY project, path), '[]')
  FROM fleet.path_claims WHERE project = ANY (p_projects) AND expires_at > fleet.now_ms()
    AND machine IS DISTINCT FROM fleet.me()
$$;

CREATE TABLE fleet.messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  from_machine text NOT NULL REFERENCES fleet.machines (name) ON DELETE CASCADE,
  to_machine text NOT NULL REFERENCES fleet.machines (name) ON DELETE CASCADE,
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 10000),
  sent_at bigint NOT NULL,
  read_at bigint
);
CREATE INDEX messages_unread ON fleet.messages (to_machine, id) WHERE read_at IS NULL;

CREATE FUNCTION fleet.send_message(p_to text, p_text text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE new_id bigint;
BEGIN
  INSERT INTO fleet.messages (from_machine, to_machine, text, sent_at)
    VALUES (fleet.this_machine(), p_to, p_text, fleet.now_ms()) RETURNING id INTO new_id;
  PERFORM pg_notify('hookwright', 'messages');
  RETURN new_id;
END $$;

/** The unread messages to this machine, oldest first; they count as read then. */
CREATE FUNCTION fleet.take_messages() RETURNS jsonb
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH taken AS (
    UPDATE fleet.messages SET read_at = fleet.now_ms()
    WHERE to_machine = fleet.this_machine() AND read_at IS NULL RETURNING *
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'from', from_machine, 'text', text, 'sentAt', sent_at)
    ORDER BY id), '[]') FROM taken
$$;

ALTER TABLE fleet.path_claims ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleet.messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody ON fleet.path_claims FOR SELECT USING (true);
CREATE POLICY own ON fleet.messages FOR SELECT TO hookwright_machine USING (fleet.me() IN (from_machine, to_machine));
CREATE POLICY auditor ON fleet.messages FOR SELECT TO hookwright_auditor USING (true);
GRANT SELECT ON fleet.path_claims, fleet.messages TO hookwright_machine, hookwright_auditor;
GRANT EXECUTE ON FUNCTION fleet.claim_paths(jsonb), fleet.foreign_claims(text[]), fleet.send_message(text, text),
  fleet.take_messages() TO hookwright_machine;
`;
