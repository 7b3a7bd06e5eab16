#!/usr/bin/env bash
# The behaviour people know from the workflow engine's hooks, asked from the command line the way its own suites do it:
# a state file in a session's folder, a payload on standard input, and then the state file again.
. "$(dirname "$0")/common.sh" session
unset CLAUDE_CODE_SESSION_ID CLAUDE_PID TMUX TMUX_PANE
export SESSION_REQUIRED=1 CLAUDE_SUPERVISOR_PID=$$
mkdir -p "$HOME/.claude"
projects=0

engine() { node "$root/bin/engine.mjs" "$@"; }
# A project of its own for every group, with the state of a session if one is given.
project() { # [state fields]
  projects=$((projects + 1))
  cd "$scratch" && mkdir -p "p$projects/sessions/TEST" && cd "p$projects" || exit 1
  [ $# -eq 0 ] || state "$1"
}
state() { printf '{"pid":%d,"skill":"implement",%s}' "$$" "$1" > sessions/TEST/.state.json; }
field() { node -p "JSON.stringify(JSON.parse(fs.readFileSync('sessions/TEST/.state.json', 'utf8'))$1)"; }
hook() { node "$root/bin/hookwright.mjs" hook --profile session >"$scratch/out" 2>"$scratch/err"; }
calls=0
event() { # name expected payload-without-braces
  calls=$((calls + 1))
  printf '{"session_id":"s%d","transcript_path":"/t/main.jsonl","cwd":"%s","tool_use_id":"t%d",%s}' "$projects" "$PWD" "$calls" "$3" | hook
  check "$1" "$2" "$?"
}
tool() { event "$1" "$2" "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"$3\",\"tool_input\":${4:-{\}}"; }
bash_call() { tool "$1" "$2" Bash "{\"command\":\"$3\"}"; }
says() { # name words
  if grep -qF -- "$2" "$scratch/out" "$scratch/err"; then check "$1" yes yes; else check "$1" "$2" "something else"; fi
}
silent() { check "$1" "" "$(cat "$scratch/out" "$scratch/err")"; }

echo "== the gate"
project
bash_call "no session: a command waits" 2 'ls'
says "and the user is to be asked" 'AskUserQuestion'
tool "no session: asking is open" 0 AskUserQuestion
tool "no session: skills are open" 0 Skill '{"skill":"do"}'
bash_call "no session: engine is open" 0 'engine session activate sessions/TEST do'
silent "and nothing is printed"
bash_call "no session: more behind it is not" 2 'engine session find; touch x'
bash_call "no session: a script by its path is not" 2 '~/.claude/scripts/session.sh activate x'
tool "no session: instructions can be read" 0 Read "{\"file_path\":\"$HOME/.claude/CLAUDE.md\"}"
tool "no session: hand-over notes can be read" 0 Read "{\"file_path\":\"$PWD/sessions/OLD/NOTES.md\"}"
tool "no session: sources cannot" 2 Read "{\"file_path\":\"$PWD/a.ts\"}"
SESSION_REQUIRED=0 bash_call "where no session is required, nothing waits" 0 'ls'
state '"lifecycle":"active"'
bash_call "a state file that somebody wrote opens it" 0 'ls'
state '"lifecycle":"completed"'
bash_call "and closes it" 2 'ls'
says "naming the session" 'TEST'
state '"lifecycle":"dehydrating"'
bash_call "a session that hands over may do everything" 0 'ls'

echo "== the heartbeat"
project '"lifecycle":"active"'
bash_call "first call" 0 'ls'
check "is counted in the state file" 1 "$(field '.toolCallsByTranscript["main.jsonl"]')"
bash_call "second call" 0 'ls'
silent "without a word"
bash_call "third call" 0 'ls'
says "with a reminder" '3 calls since the last log'
state '"lifecycle":"active","toolCallsByTranscript":{"main.jsonl":9}'
bash_call "tenth call waits" 2 'ls'
says "for the log" 'IMPLEMENT_LOG.md'
bash_call "engine log does not wait" 0 'engine log sessions/TEST/LOG.md'
check "and resets the count" 0 "$(field '.toolCallsByTranscript["main.jsonl"]')"
state '"lifecycle":"active","loading":true,"toolCallsByTranscript":{"main.jsonl":9}'
bash_call "while it loads, nothing waits" 0 'ls'
state '"lifecycle":"active"'
for n in 1 2; do tool "edit $n of one file" 0 Edit "{\"file_path\":\"$PWD/a\",\"old_string\":\"a\",\"new_string\":\"b\"}"; done
check "is one step" 1 "$(field '.toolCallsByTranscript["main.jsonl"]')"

echo "== directives"
project '"lifecycle":"active","pendingDirectives":["/x/PITFALLS.md"]'
bash_call "one call" 0 'ls'
says "with a reminder" '/x/PITFALLS.md'
bash_call "two calls" 0 'ls'
bash_call "the third waits" 2 'ls'
tool "reading it does not" 0 Read '{"file_path":"/x/PITFALLS.md"}'
check "and clears it" '[]' "$(field .pendingDirectives)"
bash_call "then work goes on" 0 'ls'
project '"lifecycle":"active"'
mkdir -p src && echo x > src/INVARIANTS.md && echo x > CHECKLIST.md && echo x > src/a.ts
event "a file is read" 0 "\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"Read\",\"tool_input\":{\"file_path\":\"$PWD/src/a.ts\"},\"tool_response\":{}"
says "its folder's directive is named" 'src/INVARIANTS.md'
check "and pending" "[\"$PWD/src/INVARIANTS.md\"]" "$(field .pendingDirectives)"
check "a checklist is to be answered" "[\"$PWD/CHECKLIST.md\"]" "$(field .discoveredChecklists)"

echo "== one strike"
project '"lifecycle":"active","toolUseWithoutLogsBlockAfter":1000'
bash_call "the first of a class is denied" 2 'rm -rf /tmp/foo'
says "and a retry is promised" 'passes when it is tried again'
bash_call "the retry passes" 0 'rm -rf /tmp/foo'
bash_call "another class is denied" 2 'git reset --hard'
bash_call "a body that only speaks of it passes" 0 "engine log sessions/TEST/LOG.md <<'E'\\n## git push --force\\nE"
bash_call "what only looks like it passes" 0 'git push origin my-feature'
project
SESSION_REQUIRED=0 bash_call "without a session it is the same" 2 'git stash pop'

echo "== questions"
project '"lifecycle":"active"'
asked='{"questions":[{"question":"Which?","header":"Choice","options":[{"label":"A"},{"label":"B"}]}]}'
event "a question was answered" 0 "\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"AskUserQuestion\",\"tool_input\":$asked,\"tool_response\":{\"answers\":{\"Which?\":\"B\"}}"
check "it is in DETAILS.md" 1 "$(grep -c 'Choice — Which?' sessions/TEST/DETAILS.md)"
check "with the answer" 1 "$(grep -cF '> Which?: B' sessions/TEST/DETAILS.md)"

echo "== prompts"
prompt='"hook_event_name":"UserPromptSubmit","prompt":"go"'
event "a prompt in a session" 0 "$prompt"
says "says where it stands" 'Session: TEST | Skill: implement'
project
event "a prompt without one" 0 "$prompt"
says "says that one comes first" 'No session is active'

echo "== rules"
project '"lifecycle":"active","currentPhase":"2: Build"'
mkdir -p .claude
printf '[{"id":"hands-off","trigger":{"type":"phase","condition":{"matches":"Build"}},"payload":{"text":"Wait in $currentPhase."},"urgency":"block","whitelist":["Read"]}]' > .claude/guards.json
bash_call "a rule of the project blocks" 2 'ls'
says "with its text" 'Wait in 2: Build.'
tool "what is on its list passes" 0 Read '{"file_path":"/a"}'
echo '[{' > .claude/guards.json
bash_call "broken, it still does" 2 'ls'
event "and the person hears of it" 0 "$prompt"
says "with the file" 'guards.json cannot be used'

echo "== the engine"
project
check "activate" 0 "$(engine session activate sessions/TEST implement </dev/null >"$scratch/out" 2>"$scratch/err"; echo $?)"
check "is in the state file" '"active"' "$(field .lifecycle)"
bash_call "and the gate is open" 0 'ls'
check "find" "$PWD/sessions/TEST" "$(engine session find)"
printf '## Began\nLooked around.\n' | engine log sessions/TEST/IMPLEMENT_LOG.md >"$scratch/out" 2>"$scratch/err"
check "log puts the time into its heading" 1 "$(grep -cE '^## \[[0-9-]+ [0-9:]+\] Began$' sessions/TEST/IMPLEMENT_LOG.md)"
engine tag add sessions/TEST/IMPLEMENT_LOG.md '#needs-review' >"$scratch/out" 2>"$scratch/err"
check "tag find" 'sessions/TEST/IMPLEMENT_LOG.md:1: #needs-review' "$(engine tag find '#needs-*')"
engine tag swap sessions/TEST/IMPLEMENT_LOG.md '#needs-review' '#done-review' >"$scratch/out" 2>"$scratch/err"
check "tag swap needs the old one" 1 "$(engine tag swap sessions/TEST/IMPLEMENT_LOG.md '#needs-review' '#x' >"$scratch/out" 2>"$scratch/err"; echo $?)"
check "phase" 'Phase: 2: Build' "$(engine session phase sessions/TEST '2: Build' </dev/null)"
check "idle needs words" 1 "$(engine session idle sessions/TEST </dev/null >"$scratch/out" 2>"$scratch/err"; echo $?)"
echo 'half done' | engine session idle sessions/TEST >"$scratch/out" 2>"$scratch/err"
bash_call "and closes the gate" 2 'ls'
