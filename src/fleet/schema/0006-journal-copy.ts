/**
 * The copy of every machine's journal. It comes in batches, each of which begins where the one before ended, so a copy has
 * no gap. If entries are lost on the server, after a restored backup for example, the list of batches shows which.
 */
export const journalCopy = `
CREATE TABLE fleet.journal (
  machine text NOT NULL REFERENCES fleet.machines (name) ON DELETE CASCADE,
  -- A machine whose database was lost begins another journal.
  journal text NOT NULL,
  seq bigint NOT NULL,
  at bigint NOT NULL,
  agent text NOT NULL,
  session text NOT NULL,
  agent_id text NOT NULL,
  project text NOT NULL,
  event text NOT NULL,
  agent_event text NOT NULL,
  tool text NOT NULL,
  ruling text NOT NULL,
  policy text NOT NULL,
  reason text NOT NULL,
  microseconds bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (machine, journal, seq)
);
CREATE INDEX journal_time ON fleet.journal (at);
CREATE TABLE fleet.journal_batches (
  machine text NOT NULL REFERENCES fleet.machines (name) ON DELETE CASCADE,
  journal text NOT NULL,
  -- The batch has the entries with a number above "after", up to "upto".
  after bigint NOT NULL,
  upto bigint NOT NULL CHECK (upto > after),
  entries bigint NOT NULL,
  copied_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (machine, journal, after)
);

CREATE FUNCTION fleet.add_entries(p_machine text, p_journal text, p_after bigint, p_upto bigint, p_rows jsonb)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE added bigint;
BEGIN
  INSERT INTO fleet.journal (machine, journal, seq, at, agent, session, agent_id, project, event, agent_event, tool,
    ruling, policy, reason, microseconds, body)
  SELECT p_machine, p_journal, seq, at, agent, session, agent_id, project, event, agent_event, tool, ruling, policy,
    reason, microseconds, body
  FROM jsonb_to_recordset(p_rows) AS row (seq bigint, at bigint, agent text, session text, agent_id text, project text,
    event text, agent_event text, tool text, ruling text, policy text, reason text, microseconds bigint, body text)
  WHERE seq > p_after AND seq <= p_upto
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  RETURN added;
END $$;

CREATE FUNCTION fleet.journal_position(p_journal text) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce(max(upto), 0) FROM fleet.journal_batches WHERE machine = fleet.this_machine() AND journal = p_journal
$$;

/** Returns the position after the call. A batch that does not begin at the position is not stored. */
CREATE FUNCTION fleet.copy_journal(p_journal text, p_after bigint, p_upto bigint, p_rows jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE me text := fleet.this_machine(); place bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('hookwright journal ' || me, 0));
  place := fleet.journal_position(p_journal);
  IF place <> p_after THEN RETURN place; END IF;
  INSERT INTO fleet.journal_batches (machine, journal, after, upto, entries)
    VALUES (me, p_journal, p_after, p_upto, fleet.add_entries(me, p_journal, p_after, p_upto, p_rows));
  RETURN p_upto;
END $$;

/** Batches of which entries are missing now. */
CREATE FUNCTION fleet.journal_gaps(p_journal text) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('after', after, 'upto', upto) ORDER BY after), '[]')
  FROM fleet.journal_batches AS batch WHERE machine = fleet.this_machine() AND journal = p_journal AND entries <> (
    SELECT count(*) FROM fleet.journal AS entry WHERE entry.machine = batch.machine AND entry.journal = batch.journal
      AND seq > after AND seq <= upto)
$$;

/** Stores again what a machine still has of a batch. What it no longer has is gone for good and is no gap any more. */
CREATE FUNCTION fleet.refill_journal(p_journal text, p_after bigint, p_rows jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE me text := fleet.this_machine(); batch fleet.journal_batches; added bigint;
BEGIN
  SELECT * INTO batch FROM fleet.journal_batches WHERE machine = me AND journal = p_journal AND after = p_after FOR UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;
  added := fleet.add_entries(me, p_journal, batch.after, batch.upto, p_rows);
  UPDATE fleet.journal_batches SET entries = (SELECT count(*) FROM fleet.journal WHERE machine = me
    AND journal = p_journal AND seq > batch.after AND seq <= batch.upto)
    WHERE machine = me AND journal = p_journal AND after = p_after;
  RETURN added;
END $$;

/** For an administrator: removes whole batches whose last entry is older than so many days. */
CREATE FUNCTION fleet.prune_journal(p_days int) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE removed bigint;
BEGIN
  WITH old AS (
    UPDATE fleet.journal_batches SET entries = 0
    WHERE entries > 0 AND copied_at < now() - make_interval(days => p_days) RETURNING *
  ), gone AS (
    DELETE FROM fleet.journal AS entry USING old WHERE entry.machine = old.machine AND entry.journal = old.journal
      AND seq > old.after AND seq <= old.upto RETURNING 1
  ) SELECT count(*) INTO removed FROM gone;
  RETURN removed;
END $$;

ALTER TABLE fleet.journal ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleet.journal_batches ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON fleet.journal FOR SELECT TO hookwright_machine USING (machine = fleet.me());
CREATE POLICY own ON fleet.journal_batches FOR SELECT TO hookwright_machine USING (machine = fleet.me());
CREATE POLICY auditor ON fleet.journal FOR SELECT TO hookwright_auditor USING (true);
CREATE POLICY auditor ON fleet.journal_batches FOR SELECT TO hookwright_auditor USING (true);
GRANT SELECT ON fleet.journal, fleet.journal_batches TO hookwright_machine, hookwright_auditor;
GRANT EXECUTE ON FUNCTION fleet.journal_position(text), fleet.copy_journal(text, bigint, bigint, jsonb),
  fleet.journal_gaps(text), fleet.refill_journal(text, bigint, jsonb) TO hookwright_machine;
`;
