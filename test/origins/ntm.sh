#!/usr/bin/env bash
# The behaviour people know from ntm-orchestrator's hooks, asked from the command line the way its own examples do it:
# payloads without an event name, answers by exit code. tmux is real, on a server of its own; ntm is a small stand-in
# that drives it.
. "$(dirname "$0")/common.sh" ntm
export TMUX_TMPDIR="$scratch/run"
export NTM_ORCH_RUNTIME_DIR="$scratch/run/ntm"
unset TMUX TMUX_PANE
mkdir -p "$scratch/bin" "$scratch/project"
cd "$scratch/project" || exit 1

cat > "$scratch/bin/ntm" <<'NTM'
#!/bin/sh
# Spawns, saves and kills real tmux sessions; everything else only succeeds.
case "$1" in
  --robot-spawn=*) exec tmux -f /dev/null new-session -d -s "${1#*=}" 'sleep 300' ;;
  save) shift; mkdir -p outputs && tmux capture-pane -p -t "=$1:" > "outputs/$1.txt" ;;
  kill) shift; exec tmux kill-session -t "=$1" ;;
esac
NTM
chmod +x "$scratch/bin/ntm"
export PATH="$scratch/bin:$PATH"

put_away() { tmux kill-server 2>/dev/null; }

hook() { node "$root/bin/hookwright.mjs" hook --profile ntm >"$scratch/out" 2>"$scratch/err"; }

bash_call() { # name expected command
  printf '{"tool_name":"Bash","tool_input":{"command":"%s"}}' "$3" | hook
  check "$1" "$2" "$?"
}

event() { # name expected payload
  printf '%s' "$3" | hook
  check "$1" "$2" "$?"
}

settings() { printf '%s\n' "$1" > "$HOOKWRIGHT_HOME/config.yml"; }

exists() { if [ -f "$NTM_ORCH_RUNTIME_DIR/$1" ]; then echo yes; else echo no; fi; }

echo "== the documented examples, marks set when a call is allowed"
settings 'ntm: { markOn: pre }'
bash_call "a subcommand is blocked" 2 'ntm status'
bash_call "robot status is allowed" 0 'ntm --robot-status'
bash_call "bare bv is blocked" 2 'bv'
bash_call "bv in robot mode is allowed" 0 'bv --robot-plan'
bash_call "a kill without a save is blocked" 2 'ntm kill test-session --force'
check "and the message shows the save to run" 1 "$(grep -c 'ntm save test-session' "$scratch/err")"
bash_call "a save is allowed" 0 'ntm save test-session -o ./outputs'
check "and writes its marker" yes "$(exists test-session/saved.json)"
bash_call "a kill after the save is allowed" 0 'ntm kill test-session --force'
check "and removes the marker" no "$(exists test-session/saved.json)"

echo "== the rest of the guard"
bash_call "spawn for people is blocked" 2 'ntm spawn x'
bash_call "a flag before the robot flag is blocked" 2 'ntm --json --robot-status'
bash_call "help is allowed" 0 'ntm --help'
bash_call "bv without a robot flag is blocked" 2 'bv --json'
bash_call "send is allowed" 0 'ntm send fleet hello'
event "another tool is allowed" 0 '{"tool_name":"Read","tool_input":{"file_path":"ntm status"}}'
bash_call "a second status within 90 s is blocked" 2 'ntm --robot-status'
bash_call "another kind of poll is allowed" 0 'ntm --robot-terse'
bash_call "a long inline message is blocked" 2 "ntm send fleet --msg='$(printf 'x%.0s' $(seq 2001))'"
bash_call "a shorter one is allowed" 0 "ntm send fleet --msg='$(printf 'x%.0s' $(seq 1999))'"
bash_call "a spawn without a name is blocked" 2 'ntm --robot-spawn='
bash_call "a path that contains ntm is allowed" 0 'ls ntm/ bv.txt'
event "input that is no JSON is allowed" 0 'nonsense'

echo "== marks set only by what really happened, with real tmux"
settings 'ntm: { markOn: post }'
ran() { # the call is asked about, really run, and reported
  printf '{"tool_name":"Bash","tool_use_id":"%s","tool_input":{"command":"%s"}}' "$1" "$2" | hook
  local answer=$?
  [ "$answer" -eq 0 ] || return "$answer"
  local report=PostToolUse
  bash -c "$2" >/dev/null 2>&1 || report=PostToolUseFailure
  printf '{"hook_event_name":"%s","tool_name":"Bash","tool_use_id":"%s","tool_input":{"command":"%s"},"tool_response":{},"error":"x"}' \
    "$report" "$1" "$2" | hook
}
stop='{"hook_event_name":"Stop","stop_hook_active":false}'
event "a stop without a fleet passes" 0 "$stop"
ran s1 'ntm --robot-spawn=fleet'
check "a spawn succeeds" 0 "$?"
check "and is remembered" yes "$(exists active-session.json)"
check "with its state" yes "$(exists fleet/state.json)"
bash_call "health right after the spawn is allowed" 0 'ntm --robot-health=fleet'
bash_call "health again at once is blocked" 2 'ntm --robot-health=fleet'
bash_call "a second fleet is blocked while the first is alive" 2 'ntm --robot-spawn=other'
event "a stop is held while the fleet is alive" 2 "$stop"
ran k1 'ntm kill fleet'
check "a kill without a save is blocked" 2 "$?"
ran v0 'ntm save nosuch'
check "a save that fails is allowed to fail" 0 "$?"
check "and leaves no marker" no "$(exists nosuch/saved.json)"
bash_call "save and kill on one line are blocked" 2 'ntm save fleet; ntm kill fleet'
ran v1 'ntm save fleet -o ./outputs'
check "a save succeeds" 0 "$?"
check "and leaves its marker" yes "$(exists fleet/saved.json)"
ran k2 'ntm kill fleet'
check "a kill after the save succeeds" 0 "$?"
check "and tmux agrees" 1 "$(tmux has-session -t '=fleet' 2>/dev/null; echo $?)"
check "and the marks are gone" no "$(exists active-session.json)"
event "a stop passes again" 0 "$stop"
ran s2 'ntm --robot-spawn=second'
tmux kill-session -t '=second'
event "a stop passes when the fleet died by itself" 0 "$stop"
bash_call "a new fleet may follow a dead one" 0 'ntm --robot-spawn=third'

echo "== subagents"
claim() { printf '{"hook_event_name":"SubagentStop","agent_id":"%s","agent_type":"coder","stop_hook_active":false,"last_assistant_message":"%s"}' "$1" "$2"; }
event "no claim passes" 0 "$(claim a1 'Found three call sites.')"
event "a bare claim is sent back" 2 "$(claim a2 'Task complete.')"
event "a claim with a gate passes" 0 "$(claim a3 'Done. All tests pass.')"
event "a word that contains one passes" 0 "$(claim a4 'I abandoned it.')"
event "compaction's own stop passes" 0 '{"hook_event_name":"SubagentStop","agent_id":"a5","agent_type":"","last_assistant_message":"Done."}'

echo "== inside a worker"
HOOKWRIGHT_FLEET_WORKER=1 bash_call "a worker is left alone" 0 'ntm status'
tmux -f /dev/null new-session -d -s w -x 80 -y 20 && tmux select-pane -t '=w:' -T 'fleet__cc_1'
pane=$(tmux display-message -p -t '=w:' '#{pane_id}')
TMUX="$(tmux display-message -p '#{socket_path}'),1,0" TMUX_PANE="$pane" bash_call "by its pane's title too" 0 'ntm status'

echo "== an open runtime directory"
chmod 755 "$NTM_ORCH_RUNTIME_DIR"
bash_call "refuses every ntm" 2 'ntm --robot-snapshot'
bash_call "and nothing else" 0 'git status'
event "a stop passes" 0 "$stop"
chmod 700 "$NTM_ORCH_RUNTIME_DIR"
