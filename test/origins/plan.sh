#!/usr/bin/env bash
# The behaviour people know from project-orchestrator's hooks, asked from the command line with the payloads and the
# answers of its own scripts: files in a project, an event on standard input, an exit code. git is real.
. "$(dirname "$0")/common.sh" plan
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@example.org GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@example.org
unset CLAUDE_PROJECT_DIR CLAUDE_PLUGIN_ROOT CLAUDE_AGENT_NAME
project="$scratch/app"
mkdir -p "$project/docs/plans" "$project/.claude"
cd "$project" || exit 1
git init -q && git commit -q --allow-empty -m start
sessions=0

hookwright() { node "$root/bin/hookwright.mjs" "$@"; }
fresh() { sessions=$((sessions + 1)); }
event() { # name expected payload-without-braces
  printf '{"session_id":"s%d","cwd":"%s",%s}' "$sessions" "$PWD" "$3" |
    node "$root/bin/hookwright.mjs" hook --profile plan >"$scratch/out" 2>"$scratch/err"
  check "$1" "$2" "$?"
}
says() { # name words
  if grep -qF -- "$2" "$scratch/out" "$scratch/err"; then check "$1" yes yes; else check "$1" "$2" "something else"; fi
}
silent() { check "$1" "" "$(cat "$scratch/out" "$scratch/err")"; }
hooks() { printf 'hooks:\n%s\n' "$1" > "$project/.claude/project.yml"; }
plan() { # statuses...
  { printf '# Login for everybody\n\n**Slug:** login\n\n## Implementation Tasks\n\n| # | Task | Depends On | Status |\n|---|---|---|---|\n'
    n=0
    for status in "$@"; do n=$((n + 1)); printf '| %d | Build part %d | — | %s | impl-%d |\n' "$n" "$n" "$status" "$n"; done
    printf '\n```\n| 9 | a sample | — | pending |\n```\n'
  } > "$project/docs/plans/login.md"
}
stop='"hook_event_name":"Stop","stop_hook_active":false'
again='"hook_event_name":"Stop","stop_hook_active":true'
start() { printf '"hook_event_name":"SessionStart","source":"%s"' "$1"; }
done_with() { printf '"hook_event_name":"TaskCompleted","task_id":"%s","task_subject":"%s"' "$1" "$2"; }
report() { # id metadata
  event "a report" 0 "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"TaskUpdate\",\"tool_use_id\":\"t$RANDOM$RANDOM\",\"tool_input\":{\"taskId\":\"$1\",\"status\":\"completed\",\"metadata\":$2}"
}
edit() { # agent file
  printf '"hook_event_name":"PreToolUse","tool_name":"Edit","tool_use_id":"e%s%s","agent_id":"a1","agent_type":"%s","tool_input":{"file_path":"%s","old_string":"a","new_string":"b"}' "$RANDOM" "$RANDOM" "$1" "$2"
}

echo "== nothing is switched on"
plan complete in-progress pending
hookwright plan start docs/plans/login.md >/dev/null
check "the state file is there" yes "$([ -f .claude/orchestrator-state.json ] && echo yes)"
check "it names the plan relative to the project" docs/plans/login.md "$(sed -n 's/.*"active_plan": "\(.*\)",/\1/p' .claude/orchestrator-state.json)"
check "and the team after the slug" implement-login "$(sed -n 's/.*"team": "\(.*\)",/\1/p' .claude/orchestrator-state.json)"
fresh; event "a stop passes" 0 "$stop"; silent "without a word"
event "a session is told nothing" 0 "$(start clear)"; silent "without a word"
event "a completion passes" 0 "$(done_with 1 'Water the plants')"; silent "without a word"
event "a compaction passes" 0 '"hook_event_name":"PreCompact","trigger":"auto"'; silent "without a word"

echo "== the stop guard"
hooks '  stop_guard: true              # default: false (opt-in)'
fresh; event "a stop is held" 2 "$stop"; says "with count and title" "2 tasks still incomplete in 'Login for everybody'."
event "the second one passes" 0 "$again"; says "with a notice" '"systemMessage"'
check "which is not context" 0 "$(grep -c additionalContext "$scratch/out")"
fresh; event "a person asks something" 0 '"hook_event_name":"UserPromptSubmit","prompt":"what is the capital of France?"'
event "an answer without a tool call is not held" 0 "$stop"; silent "without a word"
event "a call runs" 0 "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_use_id\":\"c$RANDOM\",\"tool_input\":{\"command\":\"true\"}"
event "work is held" 2 "$stop"; says "with the plan file and its open tasks" "Open in docs/plans/login.md: #2 Build part 2, #3 Build part 3."
plan complete complete pending; fresh; event "one pending task is enough" 2 "$stop"; says "and counted as one" "1 task still incomplete"
plan in-progress; fresh; event "so is one in progress" 2 "$stop"
plan complete blocked escalated; fresh; event "what waits for a person holds nobody" 0 "$stop"
plan complete complete; fresh; event "a finished plan holds nobody" 0 "$stop"; silent "without a word"
plan pending; mkdir -p deep/er; cd deep/er || exit 1
fresh; event "from any folder of the project" 2 "$stop"
cd "$project" || exit 1
git worktree add -q "$scratch/wt"; cd "$scratch/wt" || exit 1
fresh; event "and from a worktree of it" 2 "$stop"
cd "$project" || exit 1

echo "== session context and compaction"
hooks '  session_context: true
  precompact_state: true'
plan complete in-progress pending blocked
for source in clear resume; do
  fresh; event "after $source" 0 "$(start $source)"; says "the progress is told" "1/4 tasks complete, 1 in-progress, 1 pending. 1 blocked."
done
fresh; event "a fresh session" 0 "$(start startup)"; silent "is told nothing"
event "before a compaction" 0 '"hook_event_name":"PreCompact","trigger":"manual"'; says "its instructions name plan and team" "preserve this across compaction. Plan: Login for everybody (docs/plans/login.md). Slug: login. Team: implement-login."
event "after it" 0 "$(start compact)"; says "the same is told" "preserved across compaction. Plan: Login for everybody"

echo "== task verification"
hooks '  task_verification: "prompt"'
plan in-progress pending
hookwright plan abort >/dev/null
# By its time it could be later than the start.
GIT_COMMITTER_DATE="$(date -d '+1 minute' +%s) +0000" git commit -q --allow-empty -m before
hookwright plan start docs/plans/login.md >/dev/null
fresh; event "a completion without a commit is refused" 2 "$(done_with 11 'Task 1: Build part 1')"; says "and why" "There is no commit since the plan was started"
event "the second attempt passes" 0 "$(done_with 11 'Task 1: Build part 1')"; silent "without a word"
event "a task that the plan does not have is refused" 2 "$(done_with 12 'Water the plants')"; says "and why" "No row of docs/plans/login.md matches this task."
mkdir -p src && echo x > src/form.ts && git add src && git commit -q -m form
event "with a commit and without a report it passes" 0 "$(done_with 13 'Build part 2')"; silent "without a word"
report 14 '{"files_changed":["src/form.ts","src/other.ts"],"tests_passed":true}'
event "a report that names an untouched file is refused" 2 "$(done_with 14 'Task 1')"; says "and which" "touches src/other.ts."
report 15 "{\"commit\":\"$(git rev-parse --short HEAD)\",\"files_changed\":[\"src/form.ts\"],\"tests_passed\":true,\"design_doc\":\"docs/plans/login.md\"}"
event "a true report passes" 0 "$(done_with 15 'Task 1')"
report 16 '{"tests_passed":false}'
event "failing tests are refused" 2 "$(done_with 16 'Task 1')"
report 17 '{"commit":17,"files_changed":"all","tests_passed":"maybe"}'
event "a report of the wrong shape passes" 0 "$(done_with 17 'Task 1')"
(cd "$scratch/wt" && mkdir -p lib && echo y > lib/y.ts && git add lib && git commit -q -m y)
report 18 '{"files_changed":["lib/y.ts"]}'
event "a commit in a worktree counts" 0 "$(done_with 18 'Task 2')"
hooks '  task_verification: agent'
event "agent, and none at hand: first a checklist" 2 "$(done_with 19 'Task 2')"; says "about the plan" "compare the work with the plan"
event "then it passes" 0 "$(done_with 19 'Task 2')"
hooks '  task_verification: sometimes'
fresh; event "a value that does not exist is off" 0 "$(done_with 20 'Water the plants')"
event "and told" 0 "$(start startup)"; says "to the person" "hooks.task_verification must be 'agent', 'prompt', or 'off'"
event "once" 0 "$stop"; silent "per session"

echo "== scopes"
mkdir -p .claude/hooks/scopes
printf '{"team":"implement-login","shared":["docs"],"api":["src/api"]}' > .claude/hooks/scopes/implement-login.json
fresh; event "inside" 0 "$(edit api src/api/x.ts)"
event "shared" 0 "$(edit api docs/x.md)"
event "outside" 2 "$(edit api src/web/x.ts)"; says "names path and file" "src/web/x.ts is outside the scope of api"
event "a name that only begins alike" 2 "$(edit api src/api2/x.ts)"
event "the lead" 0 '"hook_event_name":"PreToolUse","tool_name":"Edit","tool_use_id":"l1","tool_input":{"file_path":"src/web/x.ts","old_string":"a","new_string":"b"}'
rm .claude/hooks/scopes/implement-login.json
event "without a scope file" 0 "$(edit api src/web/x.ts)"

echo "== what is missing or broken"
hooks '  stop_guard: true
  session_context: true
  precompact_state: true
  task_verification: prompt'
everything() {
  fresh
  event "$1: a stop passes" 0 "$stop"
  event "$1: a session starts" 0 "$(start clear)"
  event "$1: a compaction passes" 0 '"hook_event_name":"PreCompact","trigger":"auto"'
  event "$1: a completion passes" 0 "$(done_with 30 'Water the plants')"
  event "$1: an edit passes" 0 "$(edit api src/web/x.ts)"
}
printf '{"active_plan": "docs' > .claude/orchestrator-state.json; everything "a broken state"
printf '{"active_plan":"docs/gone.md"}' > .claude/orchestrator-state.json; everything "a missing plan"
printf '{"active_plan":"docs"}' > .claude/orchestrator-state.json; everything "a plan that is a folder"
cp docs/plans/login.md "$scratch/outside.md"
printf '{"active_plan":"../outside.md"}' > .claude/orchestrator-state.json; everything "a plan outside the project"
ln -s "$scratch/outside.md" docs/link.md
printf '{"active_plan":"docs/link.md"}' > .claude/orchestrator-state.json; everything "a link out of the project"
if [ "$(id -u)" -ne 0 ]; then
  chmod 000 docs/plans/login.md; printf '{"active_plan":"docs/plans/login.md"}' > .claude/orchestrator-state.json
  everything "a plan that may not be read"; chmod 644 docs/plans/login.md
fi
hookwright plan abort >/dev/null
check "abort ends what is active" no "$([ -f .claude/orchestrator-state.json ] && echo yes || echo no)"
everything "no state at all"
rm .claude/project.yml; everything "no configuration"
