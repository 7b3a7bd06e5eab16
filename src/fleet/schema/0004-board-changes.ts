/** What else changes a board, and the two functions that read it. */
export const boardChanges = `
CREATE FUNCTION fleet.board_make(p_board text, p_agents int) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE found_board fleet.boards; is_new boolean; is_over boolean; moment bigint := fleet.now_ms();
BEGIN
  PERFORM fleet.this_machine();
  INSERT INTO fleet.boards (board, started_at) VALUES (p_board, moment) ON CONFLICT DO NOTHING;
  is_new := FOUND;
  SELECT * INTO found_board FROM fleet.boards WHERE board = p_board FOR UPDATE;
  is_over := found_board.ended_at IS NOT NULL OR (
    EXISTS (SELECT 1 FROM fleet.tasks WHERE board = p_board)
    AND NOT EXISTS (SELECT 1 FROM fleet.tasks WHERE board = p_board AND status IN ('pending', 'claimed')));
  UPDATE fleet.boards SET expected_agents = coalesce(p_agents, expected_agents) WHERE board = p_board;
  IF is_over THEN
    UPDATE fleet.boards SET ended_at = NULL, started_at = moment, round = gen_random_uuid()::text WHERE board = p_board;
  END IF;
  RETURN jsonb_build_object('isNew', is_new, 'isNewRound', is_over);
END $$;

CREATE FUNCTION fleet.board_add(p_board text, p_text text, p_priority int, p_after int[], p_token text) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE task fleet.tasks; unknown int; new_number int;
BEGIN
  PERFORM fleet.this_machine();
  -- Locked first: no task is completed between the look at its status and the new dependency.
  PERFORM 1 FROM fleet.boards WHERE board = p_board FOR UPDATE;
  IF NOT FOUND THEN RETURN '{"refused": "no board"}'; END IF;
  SELECT * INTO task FROM fleet.tasks WHERE board = p_board AND add_token = p_token;
  IF FOUND THEN RETURN jsonb_build_object('task', fleet.task_json(task)); END IF;
  SELECT needed INTO unknown FROM unnest(p_after) AS needed
    WHERE NOT EXISTS (SELECT 1 FROM fleet.tasks WHERE board = p_board AND number = needed) LIMIT 1;
  IF unknown IS NOT NULL THEN RETURN jsonb_build_object('refused', 'unknown', 'name', unknown); END IF;
  UPDATE fleet.boards SET last_task = last_task + 1 WHERE board = p_board RETURNING last_task INTO new_number;
  INSERT INTO fleet.tasks (board, number, text, priority, add_token, waits_for)
    VALUES (p_board, new_number, p_text, p_priority, p_token, (SELECT count(*) FROM fleet.tasks
      WHERE board = p_board AND number = ANY (p_after) AND status <> 'done')) RETURNING * INTO task;
  INSERT INTO fleet.dependencies (board, task, needs) SELECT DISTINCT p_board, new_number, needed FROM unnest(p_after) AS needed;
  PERFORM fleet.record_change(p_board, fleet.now_ms(), 'added', new_number, NULL, NULL, 0);
  RETURN jsonb_build_object('task', fleet.task_json(task));
END $$;

/** Ends a claim: p_kind is done, failed or released. Only the machine and agent of the claim with this epoch may. */
CREATE FUNCTION fleet.board_end_claim(p_board text, p_task int, p_agent text, p_epoch int, p_kind text, p_note text,
  p_swept boolean) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE me text := fleet.this_machine(); task fleet.tasks; claimed int; closed fleet.board_changes; moment bigint;
BEGIN
  IF p_kind NOT IN ('done', 'failed', 'released') THEN RAISE EXCEPTION 'no such end of a claim: %', p_kind; END IF;
  IF NOT p_swept AND fleet.is_due(p_board) THEN RETURN '{"due": true}'; END IF;
  SELECT * INTO task FROM fleet.tasks WHERE board = p_board AND number = p_task FOR UPDATE;
  IF NOT FOUND THEN
    RETURN jsonb_build_object('refused',
      CASE WHEN EXISTS (SELECT 1 FROM fleet.boards WHERE board = p_board) THEN 'unknown' ELSE 'no board' END);
  END IF;
  moment := fleet.now_ms();
  IF task.status = 'claimed' AND task.lease_until <= moment THEN
    PERFORM fleet.expire(task);
    SELECT * INTO task FROM fleet.tasks WHERE board = p_board AND number = p_task;
  END IF;
  SELECT max(change.epoch) INTO claimed FROM fleet.board_changes AS change WHERE change.board = p_board
    AND change.task = p_task AND machine = me AND agent = p_agent AND kind = 'claimed'
    AND change.epoch = coalesce(p_epoch, change.epoch);
  IF task.status <> 'claimed' OR task.epoch IS DISTINCT FROM claimed THEN
    SELECT * INTO closed FROM fleet.board_changes AS change WHERE change.board = p_board AND change.task = p_task
      AND machine = me AND agent = p_agent AND change.epoch = claimed AND kind IN ('done', 'failed', 'released', 'expired');
    RETURN jsonb_build_object('refused', 'not held', 'task', fleet.task_json(task), 'now', moment, 'claim',
      CASE WHEN claimed IS NULL THEN NULL ELSE jsonb_build_object('epoch', claimed, 'end',
        CASE WHEN closed.kind IS NULL THEN NULL ELSE jsonb_build_object('kind', closed.kind, 'at', closed.at) END) END);
  END IF;
  PERFORM fleet.record_change(p_board, moment, p_kind, p_task, me, p_agent, task.epoch);
  IF p_kind = 'released' THEN
    UPDATE fleet.tasks SET status = 'pending', machine = NULL, agent = NULL, claimed_at = NULL, lease_until = NULL,
      claim_token = NULL WHERE board = p_board AND number = p_task RETURNING * INTO task;
  ELSE
    UPDATE fleet.tasks SET status = p_kind, ended_at = moment, lease_until = NULL, claim_token = NULL,
      result = CASE WHEN p_kind = 'done' THEN p_note ELSE result END,
      error = CASE WHEN p_kind = 'failed' THEN p_note END
      WHERE board = p_board AND number = p_task RETURNING * INTO task;
  END IF;
  IF p_kind = 'done' THEN
    UPDATE fleet.tasks SET waits_for = waits_for - 1 WHERE board = p_board
      AND number IN (SELECT one.task FROM fleet.dependencies AS one WHERE one.board = p_board AND one.needs = p_task);
  END IF;
  PERFORM fleet.note_beat(p_board, p_agent, moment);
  RETURN jsonb_build_object('task', fleet.task_json(task));
END $$;

CREATE FUNCTION fleet.board_retry(p_board text, p_task int) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE task fleet.tasks;
BEGIN
  PERFORM fleet.this_machine();
  SELECT * INTO task FROM fleet.tasks WHERE board = p_board AND number = p_task FOR UPDATE;
  IF NOT FOUND THEN
    RETURN jsonb_build_object('refused',
      CASE WHEN EXISTS (SELECT 1 FROM fleet.boards WHERE board = p_board) THEN 'unknown' ELSE 'no board' END);
  END IF;
  IF task.status <> 'failed' THEN
    RETURN jsonb_build_object('refused', 'not failed', 'task', fleet.task_json(task));
  END IF;
  PERFORM fleet.record_change(p_board, fleet.now_ms(), 'retried', p_task, NULL, NULL, task.epoch);
  UPDATE fleet.tasks SET status = 'pending', machine = NULL, agent = NULL, claimed_at = NULL, ended_at = NULL,
    error = NULL WHERE board = p_board AND number = p_task RETURNING * INTO task;
  RETURN jsonb_build_object('task', fleet.task_json(task));
END $$;

CREATE FUNCTION fleet.board_end(p_board text) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE held jsonb := '[]'; one fleet.tasks; moment bigint;
BEGIN
  PERFORM fleet.this_machine();
  PERFORM 1 FROM fleet.tasks WHERE board = p_board AND status = 'claimed' ORDER BY number FOR UPDATE;
  moment := fleet.now_ms();
  UPDATE fleet.boards SET ended_at = moment WHERE board = p_board AND ended_at IS NULL;
  IF NOT FOUND THEN
    RETURN CASE WHEN EXISTS (SELECT 1 FROM fleet.boards WHERE board = p_board) THEN '{"tasks": []}'::jsonb
      ELSE '{"refused": "no board"}'::jsonb END;
  END IF;
  FOR one IN SELECT * FROM fleet.tasks WHERE board = p_board AND status = 'claimed' ORDER BY number LOOP
    held := held || fleet.task_json(one);
    PERFORM fleet.record_change(p_board, moment, 'released', one.number, one.machine, one.agent, one.epoch);
  END LOOP;
  UPDATE fleet.tasks SET status = 'pending', machine = NULL, agent = NULL, claimed_at = NULL, lease_until = NULL,
    claim_token = NULL WHERE board = p_board AND status = 'claimed';
  RETURN jsonb_build_object('tasks', held);
END $$;

/** With due: leases have expired that nobody has taken back yet. */
CREATE FUNCTION fleet.board_overview(p_board text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('due', EXISTS (SELECT 1 FROM fleet.tasks AS late WHERE late.board = p_board
      AND late.status = 'claimed' AND late.lease_until <= fleet.now_ms()),
    'startedAt', started_at, 'endedAt', ended_at, 'expectedAgents', expected_agents, 'session', round,
    'sequence', last_change,
    'tasks', (SELECT coalesce(jsonb_agg(fleet.task_json(task) ORDER BY number), '[]') FROM fleet.tasks AS task
      WHERE task.board = p_board),
    'agents', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', fleet.shown_agent(machine, agent),
        'lastHeartbeat', beat_at, 'task', (SELECT 'task-' || number FROM fleet.tasks AS held WHERE held.board = p_board
          AND held.status = 'claimed' AND held.machine = beats.machine AND held.agent = beats.agent
          ORDER BY claimed_at DESC, number DESC LIMIT 1)) ORDER BY machine, agent), '[]')
      FROM fleet.board_agents AS beats WHERE beats.board = p_board))
  FROM fleet.boards WHERE board = p_board
$$;

CREATE FUNCTION fleet.board_changes_after(p_board text, p_sequence bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('sequence', sequence, 'at', at, 'kind', kind, 'task', 'task-' || task,
    'text', (SELECT text FROM fleet.tasks WHERE tasks.board = p_board AND number = task),
    'agent', fleet.shown_agent(machine, agent), 'epoch', epoch) ORDER BY sequence), '[]')
  FROM fleet.board_changes AS changes WHERE changes.board = p_board AND sequence > p_sequence
$$;

GRANT EXECUTE ON FUNCTION fleet.board_make(text, int), fleet.board_add(text, text, int, int[], text),
  fleet.board_end_claim(text, int, text, int, text, text, boolean), fleet.board_retry(text, int), fleet.board_end(text)
  TO hookwright_machine;
GRANT EXECUTE ON FUNCTION fleet.board_overview(text), fleet.board_changes_after(text, bigint),
  fleet.shown_agent(text, text), fleet.task_json(fleet.tasks), fleet.lease_ms() TO hookwright_machine, hookwright_auditor;
`;
