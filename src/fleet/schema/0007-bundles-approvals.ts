/** Signed policy bundles, and approvals that may be answered from any machine. */
export const bundlesAndApprovals = `
CREATE TABLE fleet.bundles (
  revision bigint PRIMARY KEY CHECK (revision > 0),
  signer text NOT NULL,
  -- The fingerprint of the key; machines check the signature with the key that they pinned, never with one from here.
  key text NOT NULL,
  content text NOT NULL CHECK (length(content) <= 262144),
  signature text NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now(),
  published_by name NOT NULL DEFAULT session_user
);
-- The public key that a machine is offered when it connects.
CREATE TABLE fleet.bundle_key (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), public_key text NOT NULL);

CREATE FUNCTION fleet.publish_bundle(p_revision bigint, p_signer text, p_key text, p_content text, p_signature text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  LOCK TABLE fleet.bundles IN EXCLUSIVE MODE;
  IF p_revision <= (SELECT coalesce(max(revision), 0) FROM fleet.bundles) THEN
    RAISE EXCEPTION 'revision % is not newer than the last one', p_revision USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO fleet.bundles (revision, signer, key, content, signature)
    VALUES (p_revision, p_signer, p_key, p_content, p_signature);
  PERFORM pg_notify('hookwright', 'bundle');
END $$;

CREATE FUNCTION fleet.offer_bundle_key(p_key text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO fleet.bundle_key (public_key) VALUES (p_key)
  ON CONFLICT (only_row) DO UPDATE SET public_key = excluded.public_key
$$;

CREATE TABLE fleet.approvals (
  machine text NOT NULL REFERENCES fleet.machines (name) ON DELETE CASCADE,
  id text NOT NULL,
  agent text NOT NULL,
  session text NOT NULL,
  project text NOT NULL,
  tool text NOT NULL,
  subject text NOT NULL,
  input text NOT NULL,
  asked_at bigint NOT NULL,
  until bigint NOT NULL,
  answer text CHECK (answer IN ('yes', 'no', 'rule')),
  detail text,
  answered_by text,
  answered_at bigint,
  closed_at bigint,
  PRIMARY KEY (machine, id)
);
CREATE INDEX approvals_open ON fleet.approvals (until) WHERE answer IS NULL AND closed_at IS NULL;

/** A request {id, agent, session, project, tool, subject, input, waitMs}; the same one twice is one. */
CREATE FUNCTION fleet.open_approval(p_request jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE moment bigint := fleet.now_ms();
BEGIN
  INSERT INTO fleet.approvals (machine, id, agent, session, project, tool, subject, input, asked_at, until)
  SELECT fleet.this_machine(), left(id, 200), agent, session, project, tool, left(subject, 1000), left(input, 20000),
    moment, moment + least("waitMs", 86400000)
  FROM jsonb_to_record(p_request) AS row (id text, agent text, session text, project text, tool text, subject text,
    input text, "waitMs" bigint)
  ON CONFLICT DO NOTHING;
  PERFORM pg_notify('hookwright', 'approvals');
END $$;

/** The first answer counts. False when the request is unknown, answered, closed or too old. */
CREATE FUNCTION fleet.answer_approval(p_machine text, p_id text, p_answer text, p_detail text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE fleet.approvals SET answer = p_answer, detail = p_detail, answered_by = fleet.this_machine(),
    answered_at = fleet.now_ms()
    WHERE machine = p_machine AND id = p_id AND answer IS NULL AND closed_at IS NULL AND until > fleet.now_ms();
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM pg_notify('hookwright', 'approvals');
  RETURN true;
END $$;

/** It was answered at the machine itself, or the agent has gone on. */
CREATE FUNCTION fleet.close_approval(p_id text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE fleet.approvals SET closed_at = fleet.now_ms()
  WHERE machine = fleet.this_machine() AND id = p_id AND closed_at IS NULL
$$;

ALTER TABLE fleet.bundles ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleet.bundle_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleet.approvals ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody ON fleet.bundles FOR SELECT USING (true);
CREATE POLICY everybody ON fleet.bundle_key FOR SELECT USING (true);
CREATE POLICY open_or_own ON fleet.approvals FOR SELECT TO hookwright_machine
  USING (machine = fleet.me() OR (answer IS NULL AND closed_at IS NULL AND until > fleet.now_ms()));
CREATE POLICY auditor ON fleet.approvals FOR SELECT TO hookwright_auditor USING (true);
GRANT SELECT ON fleet.bundles, fleet.bundle_key TO hookwright_machine, hookwright_auditor, hookwright_publisher;
GRANT SELECT ON fleet.approvals TO hookwright_machine, hookwright_auditor;
GRANT EXECUTE ON FUNCTION fleet.open_approval(jsonb), fleet.answer_approval(text, text, text, text),
  fleet.close_approval(text) TO hookwright_machine;
GRANT EXECUTE ON FUNCTION fleet.publish_bundle(bigint, text, text, text, text), fleet.offer_bundle_key(text)
  TO hookwright_publisher;
`;
