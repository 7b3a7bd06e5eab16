/**
 * Claims and leases. A step that finds expired leases answers {"due": true} and changes nothing; the caller takes them
 * back with board_sweep, in a transaction of its own, and asks again with p_swept.
 */
export const boardClaims = `
/** How long a claim lasts that is not renewed; the same as LEASE_MS of the program. */
CREATE FUNCTION fleet.lease_ms() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 300000::bigint $$;

CREATE FUNCTION fleet.shown_agent(p_machine text, p_agent text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_machine IS NOT DISTINCT FROM fleet.me() THEN p_agent ELSE p_agent || '@' || p_machine END
$$;

CREATE FUNCTION fleet.task_json(p_task fleet.tasks) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', 'task-' || p_task.number, 'text', p_task.text, 'status', p_task.status,
    'priority', p_task.priority, 'agent', fleet.shown_agent(p_task.machine, p_task.agent), 'epoch', p_task.epoch,
    'claimedAt', p_task.claimed_at, 'leaseUntil', p_task.lease_until, 'endedAt', p_task.ended_at,
    'result', p_task.result, 'error', p_task.error,
    'after', (SELECT coalesce(jsonb_agg('task-' || needs ORDER BY needs), '[]') FROM fleet.dependencies AS one
      WHERE one.board = p_task.board AND one.task = p_task.number))
$$;

/** Locks the board until the end of the transaction, and records a change on it. */
CREATE FUNCTION fleet.record_change(p_board text, p_at bigint, p_kind text, p_task int, p_machine text, p_agent text,
  p_epoch int) RETURNS void LANGUAGE sql AS $$
  WITH numbered AS (
    UPDATE fleet.boards SET last_change = last_change + 1 WHERE board = p_board RETURNING last_change
  )
  INSERT INTO fleet.board_changes (board, sequence, at, kind, task, machine, agent, epoch)
  SELECT p_board, last_change, p_at, p_kind, p_task, p_machine, p_agent, p_epoch FROM numbered
$$;

CREATE FUNCTION fleet.note_beat(p_board text, p_agent text, p_now bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO fleet.board_agents (board, machine, agent, beat_at) VALUES (p_board, fleet.this_machine(), p_agent, p_now)
  ON CONFLICT (board, machine, agent) DO UPDATE SET beat_at = excluded.beat_at
$$;

CREATE FUNCTION fleet.is_due(p_board text) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT EXISTS (SELECT 1 FROM fleet.tasks
    WHERE board = p_board AND status = 'claimed' AND lease_until <= fleet.now_ms())
$$;

CREATE FUNCTION fleet.expire(p_task fleet.tasks) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM fleet.record_change(p_task.board, p_task.lease_until, 'expired', p_task.number, p_task.machine, p_task.agent,
    p_task.epoch);
  UPDATE fleet.tasks SET status = 'pending', machine = NULL, agent = NULL, claimed_at = NULL, lease_until = NULL,
    claim_token = NULL WHERE board = p_task.board AND number = p_task.number;
  DELETE FROM fleet.board_agents WHERE board = p_task.board AND machine = p_task.machine AND agent = p_task.agent
    AND beat_at <= fleet.now_ms() - fleet.lease_ms();
END $$;

CREATE FUNCTION fleet.board_sweep(p_board text) RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE late fleet.tasks; swept int := 0;
BEGIN
  PERFORM fleet.this_machine();
  FOR late IN SELECT * FROM fleet.tasks WHERE board = p_board AND status = 'claimed' AND lease_until <= fleet.now_ms()
    ORDER BY lease_until, number FOR UPDATE SKIP LOCKED
  LOOP
    PERFORM fleet.expire(late);
    swept := swept + 1;
  END LOOP;
  RETURN swept;
END $$;

CREATE FUNCTION fleet.board_claim(p_board text, p_agent text, p_token text, p_swept boolean) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE me text := fleet.this_machine(); task fleet.tasks; moment bigint; ended bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM fleet.boards WHERE board = p_board) THEN RETURN '{"refused": "no board"}'; END IF;
  SELECT * INTO task FROM fleet.tasks WHERE board = p_board AND machine = me AND agent = p_agent
    AND status = 'claimed' AND claim_token = p_token;
  IF FOUND THEN RETURN jsonb_build_object('task', fleet.task_json(task)); END IF;
  IF NOT p_swept AND fleet.is_due(p_board) THEN RETURN '{"due": true}'; END IF;
  SELECT * INTO task FROM fleet.tasks WHERE board = p_board AND status = 'pending' AND waits_for = 0
    ORDER BY priority DESC, number LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN '{"task": null}'; END IF;
  moment := fleet.now_ms();
  PERFORM fleet.record_change(p_board, moment, 'claimed', task.number, me, p_agent, task.epoch + 1);
  -- The row of the board is locked now, so nobody ends the swarm between this look and the commit.
  SELECT ended_at INTO ended FROM fleet.boards WHERE board = p_board;
  IF ended IS NOT NULL THEN
    DELETE FROM fleet.board_changes WHERE board = p_board
      AND sequence = (SELECT last_change FROM fleet.boards WHERE board = p_board);
    RETURN '{"task": null}';
  END IF;
  UPDATE fleet.tasks SET status = 'claimed', machine = me, agent = p_agent, claimed_at = moment, claim_token = p_token,
    lease_until = moment + fleet.lease_ms(), epoch = epoch + 1
    WHERE board = p_board AND number = task.number RETURNING * INTO task;
  PERFORM fleet.note_beat(p_board, p_agent, moment);
  RETURN jsonb_build_object('task', fleet.task_json(task));
END $$;

CREATE FUNCTION fleet.board_renew(p_board text, p_agent text, p_swept boolean) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE me text := fleet.this_machine(); moment bigint; held jsonb; last fleet.board_changes; task fleet.tasks;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM fleet.boards WHERE board = p_board) THEN RETURN '{"refused": "no board"}'; END IF;
  IF NOT p_swept AND fleet.is_due(p_board) THEN RETURN '{"due": true}'; END IF;
  moment := fleet.now_ms();
  WITH renewed AS (
    UPDATE fleet.tasks SET lease_until = moment + fleet.lease_ms()
    WHERE board = p_board AND status = 'claimed' AND machine = me AND agent = p_agent AND lease_until > moment RETURNING *
  )
  SELECT jsonb_agg(fleet.task_json(renewed::fleet.tasks) ORDER BY number) INTO held FROM renewed;
  IF held IS NOT NULL THEN
    PERFORM fleet.note_beat(p_board, p_agent, moment);
    RETURN jsonb_build_object('tasks', held);
  END IF;
  -- An agent that has lost its last claim, and has done nothing since, has to learn of that.
  SELECT * INTO last FROM fleet.board_changes WHERE board = p_board AND machine = me AND agent = p_agent
    ORDER BY sequence DESC LIMIT 1;
  IF last.kind = 'expired' OR (last.kind = 'released'
    AND EXISTS (SELECT 1 FROM fleet.boards WHERE board = p_board AND ended_at IS NOT NULL)) THEN
    SELECT * INTO task FROM fleet.tasks WHERE board = p_board AND number = last.task;
    RETURN jsonb_build_object('refused', 'not held', 'task', fleet.task_json(task), 'now', moment, 'claim',
      jsonb_build_object('epoch', last.epoch, 'end', jsonb_build_object('kind', last.kind, 'at', last.at)));
  END IF;
  PERFORM fleet.note_beat(p_board, p_agent, moment);
  RETURN '{"tasks": []}';
END $$;

GRANT EXECUTE ON FUNCTION fleet.board_sweep(text), fleet.board_claim(text, text, text, boolean),
  fleet.board_renew(text, text, boolean) TO hookwright_machine;
`;
