#!/usr/bin/env bash
# The behaviour people know from agent-team-mail's hooks, asked from the command line the way its own four suites do it:
# a payload on standard input, `.atm.toml` in the working directory, and then what was printed, written and sent. Whoever
# listens on the socket is real. One check for each of their tests, under the same heads, and then what belongs to it.
. "$(dirname "$0")/common.sh" teams
unset ATM_HOME ATM_TEAM ATM_IDENTITY CLAUDE_CONFIG_DIR CLAUDE_CODE_SESSION_ID CLAUDE_PID
daemon="$HOME/.claude/daemon"
trail="$daemon/hooks/events.jsonl"
config="$HOME/.claude/teams/atm-dev/config.json"
told="$scratch/told"
listener=
projects=0
calls=0

put_away() { [ -z "$listener" ] || kill "$listener" 2>/dev/null; }

# A project of its own for every check, and nothing left of the one before.
project() { # [lines of .atm.toml]
  projects=$((projects + 1))
  mkdir -p "$scratch/p$projects" && cd "$scratch/p$projects" || exit 1
  rm -rf "$daemon/hooks" "$HOME/.claude/teams"
  : > "$told"
  [ $# -eq 0 ] || printf '%s\n' "$@" > .atm.toml
}
atm() { project '[core]' 'default_team = "atm-dev"' 'identity = "team-lead"' "$@"; }
team() { mkdir -p "$(dirname "$config")" && printf '%s\n' "$1" > "$config"; }
members='"members":[{"name":"team-lead"},{"name":"bob"}]'

# Somebody else's daemon, which writes down what it is told; `cut` hangs up instead of answering.
listen() { # answer|cut
  mkdir -p "$daemon" && chmod 700 "$daemon"
  node -e '
    const fs = require("node:fs"), [socket, told, how] = process.argv.slice(1);
    fs.rmSync(socket, { force: true });
    require("node:net").createServer((c) => {
      c.on("error", () => {});
      c.on("data", (line) => {
        if (how === "cut") return c.destroy();
        fs.appendFileSync(told, line);
        c.end(JSON.stringify({ version: 1, request_id: JSON.parse(line).request_id, status: "ok", payload: {} }) + "\n");
      });
    }).listen(socket);' "$daemon/atm-daemon.sock" "$told" "$1" &
  listener=$!
  for _ in $(seq 200); do [ -S "$daemon/atm-daemon.sock" ] && return; sleep 0.05; done
}
unlisten() {
  kill "$listener" 2>/dev/null
  wait "$listener" 2>/dev/null
  listener=
  rm -f "$daemon/atm-daemon.sock"
}

hook() { node "$root/bin/hookwright.mjs" hook --no-daemon --profile teams >"$scratch/out" 2>"$scratch/err"; }
event() { # name payload-without-braces
  calls=$((calls + 1))
  printf '{"cwd":"%s","prompt_id":"%d",%s}' "$PWD" "$calls" "$2" | hook
  check "$1" 0 "$?"
}
start() { event "$1" "\"hook_event_name\":\"SessionStart\",\"session_id\":\"s-1\",\"source\":\"${2:-startup}\""; }
end() { event "$1" "\"hook_event_name\":\"SessionEnd\",\"reason\":\"other\"${2-,\"session_id\":\"s-1\"}"; }
idle() { event "$1" "\"hook_event_name\":\"TeammateIdle\",\"session_id\":\"s-1\",${2:-\"teammate_name\":\"bob\",\"team_name\":\"atm-dev\"}"; }
context() { node -p 'const t = fs.readFileSync(process.argv[1], "utf8"); t && JSON.parse(t).hookSpecificOutput.additionalContext' "$scratch/out"; }
has() { case "$3" in *"$2"*) check "$1" yes yes ;; *) check "$1" "$2" "$3" ;; esac }
lacks() { case "$3" in *"$2"*) check "$1" "without $2" "$3" ;; *) check "$1" yes yes ;; esac }
silent() { check "$1" "" "$(cat "$scratch/out" "$scratch/err")"; }
lines() { if [ -f "$trail" ]; then wc -l < "$trail" | tr -d ' '; else echo 0; fi; }
field() { tail -n 1 "$trail" | node -p "JSON.parse(fs.readFileSync(0, 'utf8'))$1"; }
# What the socket heard, once it did: a report is sent when the hook has answered.
heard() { # count
  for _ in $(seq 100); do
    [ "$(wc -l < "$told")" -ge "$1" ] && break
    sleep 0.05
  done
  wc -l < "$told" | tr -d ' '
}
nothing_heard() { sleep 0.3; check "$1" 0 "$(wc -l < "$told" | tr -d ' ')"; }
suite() { printf '== %s\n' "$1"; first=$((passed + failed)); }

suite "session start: 12"
project
start "1 a fresh start"
has "  the id is printed" 'SESSION_ID=s-1 (starting fresh)' "$(context)"
start "2 after a compaction" compact
has "  has its own words" '(returning from compact)' "$(context)"
start "3 without .atm.toml"
lacks "  no team is named" 'ATM team' "$(context)"
atm
start "4 with .atm.toml"
has "  the team is named" 'ATM team: atm-dev' "$(context)"
atm 'welcome-message = "Read the plan"'
start "5 with a welcome"
has "  it is printed" 'Welcome: Read the plan' "$(context)"
listen answer
project
start "6 without .atm.toml, and somebody listens"
nothing_heard "  he hears nothing"
atm
start "7 with it"
check "  he is told" 1 "$(heard 1)"
has "8 and told the session" '"session_id":"s-1"' "$(cat "$told")"
has "  with its process" '"process_id":' "$(cat "$told")"
unlisten
listen cut
atm
start "9 a listener that hangs up"
has "  changes nothing" 'SESSION_ID=s-1' "$(context)"
unlisten
atm
start "10 nobody listens"
project
start "11 without .atm.toml no file is touched"
check "  none is there" no "$([ -e "$daemon/hooks" ] && echo yes || echo no)"
project '= this is not TOML ['
start "12 what cannot be read as TOML counts as absent"
check "  the id alone is printed" 'SESSION_ID=s-1 (starting fresh)' "$(context)"

suite "session end: 11"
listen answer
project
end "1 without .atm.toml"
nothing_heard "  nobody hears of it"
atm
end "2 with it"
check "  the listener is told" 1 "$(heard 1)"
has "  in the old form" '"event":"session_end","session_id":"s-1","agent":"team-lead","team":"atm-dev"' "$(cat "$told")"
silent "3 and nothing is printed"
atm
end "4 an empty session id" ',"session_id":""'
nothing_heard "  is nobody's end"
end "5 no session id" ''
nothing_heard "  neither"
unlisten
listen cut
atm
end "6 a listener that hangs up"
silent "  changes nothing"
unlisten
printf 'nonsense' | hook
check "7 input that is no JSON" 0 "$?"
atm
end "8 no socket"
silent "  is no mistake"
rm -rf "$daemon"
end "9 no folder for one either"
project
rm -rf "$daemon"
end "10 without .atm.toml no file is touched"
check "  none is there" no "$([ -e "$daemon" ] && echo yes || echo no)"
project '= this is not TOML ['
end "11 what cannot be read as TOML counts as absent"
check "  nothing is written" 0 "$(lines)"

suite "spawn gate: 21"
gate() { # name expected input-without-braces [session]
  calls=$((calls + 1))
  printf '{"cwd":"%s","session_id":"%s","tool_name":"Task","tool_use_id":"t%d","tool_input":{%s}}' "$PWD" "${4:-lead}" "$calls" "$3" | hook
  check "$1" "$2" "$?"
}
agent() { # name front-matter
  mkdir -p .claude/agents
  printf -- '---\nname: %s\n%b\n---\n\nBody\n' "$1" "$2" > ".claude/agents/$1.md"
}
demands='metadata:\n  spawn_policy: named_teammate_required'
joins='"subagent_type":"rust-developer","name":"dev","team_name":"atm-dev"'
atm
agent quality-mgr "$demands"
agent custom-orchestrator "$demands"
agent custom-worker 'description: worker'
gate "1 an orchestrator without a name" 2 '"subagent_type":"scrum-master"'
has "  and the reason says what to do" 'give it a name' "$(cat "$scratch/err")"
gate "2 with a name" 0 '"subagent_type":"scrum-master","name":"sm-x"'
gate "3 another orchestrator without one" 2 '"subagent_type":"quality-mgr"'
gate "4 with one" 0 '"subagent_type":"quality-mgr","name":"qm-x"'
gate "5 an agent whose file demands it, without" 2 '"subagent_type":"custom-orchestrator"'
gate "6 with" 0 '"subagent_type":"custom-orchestrator","name":"c-1"'
gate "7 an agent whose file demands nothing" 0 '"subagent_type":"custom-worker"'
gate "8 any other agent without a name" 0 '"subagent_type":"rust-developer"'
gate "9 with a name" 0 '"subagent_type":"rust-developer","name":"dev"'
team '{"leadSessionId":"lead"}'
gate "10 the lead names the team" 0 "$joins"
gate "11 a teammate does" 2 "$joins" teammate
has "  and is shown the other way" 'without team_name' "$(cat "$scratch/err")"
rm -rf "$HOME/.claude/teams"
gate "12 a team without a file" 0 "$joins" anybody
team '{"someOtherField":"value"}'
gate "13 a file without a lead" 0 "$joins" anybody
gate "14 another team than the project's" 2 '"subagent_type":"rust-developer","name":"dev","team_name":"wrong"'
has "  and both are named" 'atm-dev' "$(cat "$scratch/err")"
team '{"leadSessionId":"lead"}'
gate "15 the project's own" 0 "$joins"
project
gate "16 any team without .atm.toml" 0 '"subagent_type":"rust-developer","name":"dev","team_name":"any-team"'
printf 'not-json{{{' | hook
check "17 input that is no JSON" 0 "$?"
printf '{}' | hook
check "18 an empty payload" 0 "$?"
printf 'teams: { compatBreadcrumbs: true }\n' > "$HOOKWRIGHT_HOME/config.yml"
export TMPDIR="$scratch/tmp"
mkdir -p "$TMPDIR"
gate "19 the log of older hooks, where it is wanted" 0 '"subagent_type":"rust-developer","prompt":"a secret plan"' crumb
has "  has the call" '"subagent_type":"rust-developer"' "$(cat "$TMPDIR/gate-agent-spawns-debug.jsonl")"
lacks "  without its prompt" 'secret plan' "$(cat "$TMPDIR/gate-agent-spawns-debug.jsonl")"
has "20 and the process" '"process_id":' "$(cat "$TMPDIR/gate-agent-spawns-debug.jsonl")"
check "21 the session id beside it" crumb "$(cat "$TMPDIR/atm-session-id")"
check "  for nobody else to read" 600 "$(stat -c %a "$TMPDIR/atm-session-id")"
rm -f "$HOOKWRIGHT_HOME/config.yml"
unset TMPDIR

suite "idle relay: 11"
atm
team "{\"leadSessionId\":\"s-1\",$members}"
idle "1 a teammate waits"
check "  one line is appended" 1 "$(lines)"
check "  of its kind" teammate-idle "$(field .type)"
check "  with the payload" bob "$(field .payload.teammate_name)"
idle "2 again and again"
idle "  and again"
check "  a line each" 3 "$(lines)"
idle "3 the team from .atm.toml" '"name":"bob"'
check "  is in the line" atm-dev "$(field .team)"
printf 'nonsense' | hook
check "4 input that is no JSON" 0 "$?"
check "  adds no line" 4 "$(lines)"
listen answer
project
idle "5 without .atm.toml"
nothing_heard "  nobody is told"
check "6 and no line is written" 0 "$(lines)"
atm
idle "7 with it"
check "  the listener is told" 1 "$(heard 1)"
has "  in the old form" '"event":"teammate_idle"' "$(cat "$told")"
unlisten
listen cut
atm
idle "8 a listener that hangs up"
check "9 leaves the line where it is" 1 "$(lines)"
unlisten
atm
idle "10 nobody listens"
check "  and the line is written" 1 "$(lines)"
project '= this is not TOML ['
idle "11 what cannot be read as TOML counts as absent"
check "  nothing is written" 0 "$(lines)"

suite "the daemon behind the socket"
rm -rf "$daemon"
atm
team "{\"leadSessionId\":\"lead\",\"kept\":[1],$members}"
printf 'profiles: [teams]\n' > "$HOOKWRIGHT_HOME/config.yml"
node "$root/bin/hookwright.mjs" daemon start >"$scratch/out" 2>"$scratch/err"
check "ours begins to listen" 0 "$?"
ask() { # command payload
  node -e '
    const [socket, command, payload] = process.argv.slice(1);
    const c = require("node:net").connect(socket, () => c.end(JSON.stringify({ version: 1, request_id: String(Math.random()), command, payload: JSON.parse(payload) }) + "\n"));
    c.on("data", (d) => process.stdout.write(d)).on("error", (e) => console.log(e.code));' "$daemon/atm-daemon.sock" "$1" "$2"
}
# The agent's process, which lives; that of a hook in a pipe is gone by now.
export CLAUDE_PID=$$
says() { event "$1" "\"session_id\":\"lead\",$2"; }
state() { has "$1" "\"state\":\"$2\"" "$(ask agent-state '{"agent":"team-lead","team":"atm-dev"}')"; }
says "the lead starts" '"hook_event_name":"SessionStart","source":"startup"'
state "  it is launching" launching
says "gets a prompt" '"hook_event_name":"UserPromptSubmit","prompt":"go"'
state "  it is busy" busy
says "its turn is over" '"hook_event_name":"Stop","stop_hook_active":false'
state "  it is idle" idle
has "a stranger is not believed" '"processed":false' "$(ask hook-event '{"event":"teammate_idle","agent":"mallory","team":"atm-dev","session_id":"x"}')"
has "a teammate's start by a hook neither" 'only team-lead' "$(ask hook-event '{"event":"session_start","agent":"bob","team":"atm-dev","session_id":"x","source":{"kind":"claude_hook"}}')"
has "its own adapter is" '"processed":true' "$(ask hook-event '{"event":"session_start","agent":"bob","team":"atm-dev","session_id":"b","source":{"kind":"atm_mcp"}}')"
has "input for an agent without an adapter" UNAVAILABLE "$(ask control '{"agent":"team-lead","team":"atm-dev","sender":"bob","payload":"hi"}')"
ask hook-event '{"event":"teammate_idle","agent":"bob","team":"atm-dev","session_id":"b","source":{"kind":"atm_mcp"}}' >/dev/null
has "for one with an adapter" '"result":"ok"' "$(ask control '{"agent_id":"bob","team":"atm-dev","sender":"team-lead","payload":"look here"}')"
check "  lies where it is fetched from" 'look here' "$(cat "$HOME"/.config/atm/agent-sessions/atm-dev/bob/stdin_queue/*.json)"
has "the lead's session is alive" '"alive":true' "$(ask session-query '{"name":"team-lead"}')"
says "it ends" '"hook_event_name":"SessionEnd","reason":"other"'
state "  it is closed" closed
has "  and takes no input" AGENT_CLOSED "$(ask control '{"agent":"team-lead","team":"atm-dev","sender":"bob","payload":"hi"}')"
has "  and is not alive, although its process is" '"alive":false' "$(ask session-query '{"name":"team-lead"}')"
node "$root/bin/hookwright.mjs" teams resume atm-dev --session-id next >"$scratch/out" 2>"$scratch/err"
check "the next session takes over without force" 0 "$?"
check "  as the team's file says" '"next" [1]' "$(node -p 'const c = JSON.parse(fs.readFileSync(process.argv[1], "utf8")); JSON.stringify(c.leadSessionId) + " " + JSON.stringify(c.kept)' "$config")"
