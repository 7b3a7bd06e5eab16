#!/usr/bin/env bash
# The behaviour people know from oh-my-claudecode's execution modes, asked from the command line with the payloads that
# Claude Code sends: an event on standard input, and then what was answered and which files are in `.omc/state`. One part
# for each of the hooks that its documentation lists under execution modes, and one for the keywords. git is real.
. "$(dirname "$0")/common.sh" omc
export GIT_CONFIG_GLOBAL=/dev/null
unset CLAUDE_PROJECT_DIR CLAUDE_PLUGIN_ROOT CLAUDE_CODE_SESSION_ID CLAUDE_PID DISABLE_OMC OMC_SKIP_HOOKS
projects=0
calls=0
session=s1

# For what takes hours: a process that loads this lives so many milliseconds later.
cat > "$scratch/later.cjs" <<'JS'
const now = Date.now, later = Number(process.env.LATER);
Date.now = () => now() + later;
JS

project() {
  projects=$((projects + 1))
  session=s1
  mkdir -p "$scratch/p$projects" && cd "$scratch/p$projects" || exit 1
  git init -q
}
# What the agent starts: the compiled client where there is one. A later time is only known to a process of Node.
client=("$root/dist/hook")
[ -x "${client[0]}" ] || client=(node "$root/bin/hookwright.mjs" hook)
cold=(node "$root/bin/hookwright.mjs" hook --no-daemon)
hookwright() { node "$root/bin/hookwright.mjs" "$@"; }
json() {
  local text=${1//\\/\\\\}
  text=${text//\"/\\\"}
  printf '"%s"' "${text//$'\n'/\\n}"
}
hook() { # payload-without-braces
  calls=$((calls + 1))
  local start=("${client[@]}")
  [ -z "${LATER:-}" ] || start=("${cold[@]}")
  printf '{"session_id":"%s","cwd":"%s","prompt_id":"p%d",%s}' "$session" "$PWD" "$calls" "$1" |
    "${start[@]}" --profile omc >"$scratch/out" 2>"$scratch/err"
}
event() { # name expected payload-without-braces
  hook "$3"
  check "$1" "$2" "$?"
}
says() { # name words
  if grep -qF -- "$2" "$scratch/out" "$scratch/err"; then check "$1" yes yes; else check "$1" "$2" "something else"; fi
}
silent() { check "$1" "" "$(cat "$scratch/out" "$scratch/err")"; }
prompt() { hook "\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":$(json "$1")"; }
stop() { hook "\"hook_event_name\":\"Stop\",\"stop_hook_active\":false,\"last_assistant_message\":$(json "${1:-Done.}")${2:+,$2}"; }
goes_on() { stop "${2:-Done.}"; says "$1" '"hookEventName":"Stop","additionalContext"'; }
may_stop() { # name [message [more]]
  stop "${2:-Done.}" "${3:-}"
  check "$1" 0 "$(grep -cE 'additionalContext|"block"' "$scratch/out")"
}
call() { # command: a call that ran
  local tool="\"tool_name\":\"Bash\",\"tool_use_id\":\"t$calls\",\"tool_input\":{\"command\":$(json "$1")}"
  hook "\"hook_event_name\":\"PreToolUse\",$tool"
  hook "\"hook_event_name\":\"PostToolUse\",$tool,\"tool_response\":{\"stdout\":\"\",\"stderr\":\"\",\"interrupted\":false}"
}
reviewer() { # type message
  hook "\"hook_event_name\":\"SubagentStop\",\"agent_id\":\"a$calls\",\"agent_type\":\"$1\",\"stop_hook_active\":false,\"last_assistant_message\":$(json "$2")"
}
edit() { # name expected agent file
  event "$1" "$2" "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Write\",\"tool_use_id\":\"w$calls\",\"agent_id\":\"b1\",\"agent_type\":\"$3\",\"tool_input\":{\"file_path\":\"$PWD/$4\",\"content\":\"x\"}"
}
# The modes that are on, by their state files.
on() { find .omc/state -maxdepth 1 -name '*-state.json' 2>/dev/null | sed 's|.*/||; s|-state.json||' | sort | xargs; }
field() { node -p 'const [f, ...k] = process.argv.slice(1); k.reduce((v, n) => v?.[n], JSON.parse(require("fs").readFileSync(f, "utf8")))' "$@"; }
starts() { # prompt modes
  project
  prompt "$1"
  check "\"$1\" starts ${2:-nothing}" "$2" "$(on)"
}

echo "== keyword-detector: what starts a mode"
starts "autopilot: build a shop" "autopilot"
starts "auto-pilot this: build a shop" "autopilot"
starts "go full auto on the shop" "autopilot"
starts "Build me a REST API for bookmarks" "autopilot"
starts "I want a command line tool that renames photos" "autopilot"
starts "Handle it all: tests, docs and release" "autopilot"
starts "ralph fix the login" "ralph ultrawork"
starts "Fix the login. Don't stop until the tests pass" "ralph ultrawork"
starts "ultrapilot build the shop" "ultrapilot"
starts "parallel build: frontend, backend, docs" "ultrapilot"
starts "ulw fix all warnings" "ultrawork"
starts "ultrawork fix all warnings" "ultrawork"
starts "ecomode: rename the keys" "ecomode"
starts "swarm 4 agents to write the tests" "swarm"
check "with as many agents" 4 "$(field .omc/state/swarm-state.json agent_count)"
starts "use coordinated agents to port the scripts" "swarm"
check "with three agents" 3 "$(field .omc/state/swarm-state.json agent_count)"
starts "/pipeline review the last commit" "pipeline"
starts "chain agents: explore -> architect -> writer" "pipeline"
starts "/omc:ultraqa --goal tests" "ultraqa"
starts "/oh-my-claudecode:ralph fix the login" "ralph ultrawork"
echo "== keyword-detector: which of several"
starts "ultrawork and ecomode: fix the login" "ecomode"
starts "autopilot ultrapilot build the shop" "ultrapilot"
starts "ralph and ecomode: fix the login" "ecomode ralph"
project; prompt "ulw fix it now"; prompt "cancelomc, and then ralph fix the login"; check "cancel is alone" "" "$(on)"
project; prompt "fix the login"; prompt "ultrawork"; check "a name alone means the request before" "fix the login" "$(field .omc/state/ultrawork-state.json original_prompt)"
project; prompt "ralph"; check "and nothing without one" "" "$(on)"
echo "== keyword-detector: what starts nothing"
starts "What does ralph do?" ""
starts "explain autopilot" ""
starts "ralph keeps looping, investigate" ""
starts "Fix the bug in autopilot mode" ""
starts "Ralph said the export is done" ""
starts "Do not use ralph for this, only fix the typo" ""
starts "Change the label \"ralph fix it\" to \"Ralph\"" ""
starts 'Run `ralph fix it` and show me the output' ""
starts "See https://example.com/autopilot/ralph and sum it up" ""
starts "open src/modes/ralph/machine.ts" ""
starts "$(printf 'Sum this up:\n```\nralph fix it\n```')" ""
starts "$(printf '<pasted_content>\nautopilot build me an app\n</pasted_content>\nSum this up.')" ""
starts "<task-notification>ralph fix it</task-notification>" ""
starts "make the query more efficient, the budget is small" ""
starts "research the pipeline and plan the migration" ""
starts "was macht ralph genau?" ""
starts "不要使用 ralph,直接修复错字" ""
project; prompt "ralplan the login"; says "ralplan adds a sentence" "work out a plan"; check "and starts nothing" "" "$(on)"
project; prompt "add the parser, tdd"; says "so does tdd" "failing test first"
project; prompt "The worker retries until done, log the count"; says "a phrase elsewhere suggests" "did not start ralph"

echo "== mode-registry"
project; prompt "ralph: fix the login"; says "the start is told" "ralph is on: it goes on until"; says "with the way out" "End it with /cancel."
state=.omc/state/ralph-state.json
check "the state is a file" true "$(field $state active)"
check "of this session" s1 "$(field $state session_id)"
check "with the request" "fix the login" "$(field $state original_prompt)"
check "and its rounds" 100 "$(field $state max_iterations)"
check "readable by its owner alone" 600 "$(stat -c %a $state)"
check "and once more for the session" s1 "$(field .omc/state/sessions/s1/ralph-state.json session_id)"
check "git sees nothing of it" "" "$(git status --porcelain)"
check "because of" '*' "$(cat .omc/.gitignore)"
prompt "ultraqa: run the tests"; says "ralph keeps ultraqa out" "ultraqa was not started, because ralph is on"; says "with the way out" "/cancel ralph"
hookwright mode start ralhp x >"$scratch/out" 2>"$scratch/err"; check "an unknown mode is an error" 1 $?; says "with the nearest name" 'Did you mean `ralph`?'
for pair in "autopilot ultrapilot" "ultrapilot pipeline:" "pipeline: autopilot"; do
  read -r first second <<< "$pair"
  project; prompt "$first review the shop"; prompt "$second review the login"
  check "${first%:} keeps ${second%:} out" "${first%:}" "$(on)"
done
project; prompt "ulw: port the scripts"; LATER=7300000 NODE_OPTIONS="--require $scratch/later.cjs" may_stop "a mode that was not seen for 2 hours holds nobody"
LATER=7300000 NODE_OPTIONS="--require $scratch/later.cjs" hookwright mode status >"$scratch/out" 2>"$scratch/err"; says "and is stale" "stale"
project; prompt "ulw: port the scripts"; sed -i 's/"active": true/"active": false/' .omc/state/ultrawork-state.json; may_stop "a file that says inactive cancels"; says "which is told" "was cancelled"
project; prompt "ulw: port the scripts"; rm .omc/state/sessions/s1/ultrawork-state.json; may_stop "so does a removed file"; check "all of it is gone" "" "$(on)"
project; prompt "ulw: port the scripts"; printf '{"act' > .omc/state/ultrawork-state.json; goes_on "a broken file cancels nothing"; says "and is named" "could not be read"
check "and moved aside" 1 "$(find .omc/state -name 'ultrawork-state.json.corrupt-*' | wc -l)"
project; mkdir -p .omc/state; printf '{"active":true,"started_at":"2026-01-28T10:00:00Z"}' > .omc/state/ralph-state.json; may_stop "a file without a session holds nobody"
project; session=../../evil; prompt "ulw: port the scripts"; check "an unsafe session becomes no path" 0 "$(find "$scratch" -name '*evil*' | wc -l)"
project; event "a start by the model is denied" 2 '"hook_event_name":"PreToolUse","tool_name":"Skill","tool_use_id":"k1","tool_input":{"skill":"omc:ralph","args":"x"}'; says "and why" "only a person starts a mode"
event "also by the command" 2 '"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"k2","tool_input":{"command":"hookwright mode start ralph x"}'
event "looking is not" 0 '"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"k3","tool_input":{"command":"hookwright mode status"}'

echo "== persistent-mode"
project; may_stop "without a mode a stop passes"; silent "without a word"
prompt "ulw: port the scripts"; goes_on "with one it goes on"
check "softly: no error, no end of the session" 0 "$(grep -cE '"continue"|"decision"' "$scratch/out")"
says "with round and request" "ultrawork, round 1 of 50. Go on with what is open of: port the scripts."
session=s2; may_stop "another session of the project is not held"; silent "and reads nothing"
session=s1; goes_on "the first one is"
may_stop "not the stop of a subagent" "Done." '"agent_id":"a1","agent_type":"x"'
for reason in context_limit context_window_exceeded max_tokens input_too_long user_cancel ctrl_c aborted; do
  project; prompt "ulw: port the scripts"; may_stop "$reason lets the turn end" "Done." "\"stop_reason\":\"$reason\""
done
project; prompt "ulw: port the scripts"; may_stop "so does what the person asked for" "Done." '"user_requested":true'
project; prompt "ulw: port the scripts"; may_stop "and plan mode" "Done." '"permission_mode":"plan"'
hook '"hook_event_name":"StopFailure","error":"rate_limit"'; may_stop "a turn that failed is not fought"
prompt "go on"; goes_on "until the next prompt"
stop "I have to know.

NEEDS_INPUT: which port?"; says "a question waits for the person" "ultrawork waits for your answer: which port?"
check "and nothing is held" 0 "$(grep -c additionalContext "$scratch/out")"
prompt "5432"; goes_on "the answer continues the mode"
project; prompt "ulw: port the scripts"
for n in 1 2 3; do goes_on "idle round $n"; done
may_stop "three rounds without a call end the turn"
project; prompt "ralph: fix the login"; prompt "swarm 2 agents: port the scripts"; stop
check "several modes speak in the order of the list" yes "$(grep -q 'ralph, round 1.*swarm, round 1' "$scratch/out" && echo yes)"
hook '"hook_event_name":"PreCompact","trigger":"auto"'; says "a compaction keeps the state" "ralph, round 1 of 100"
hook '"hook_event_name":"SessionStart","source":"compact"'; says "which is told again after it" "ralph, round 1 of 100"
hook '"hook_event_name":"SessionEnd","reason":"prompt_input_exit"'; check "an ended session holds nothing" false "$(field .omc/state/ralph-state.json active)"
hook '"hook_event_name":"SessionStart","source":"resume"'; goes_on "and goes on when it is resumed"
hook '"hook_event_name":"SessionEnd","reason":"clear"'
session=s3; hook '"hook_event_name":"SessionStart","source":"clear"'; says "a new one is offered to go on" 'Type \"ralph resume\"'
may_stop "and is not held"
prompt "ralph resume"; goes_on "unless the person says so"

echo "== autopilot"
project; prompt "autopilot: build a parser"
check "it begins with the expansion" expansion "$(field .omc/state/autopilot-state.json phase)"
stop "The word EXPANSION_COMPLETE in a sentence."; says "a signal in a sentence counts nothing" "Phase 1 of 5, expansion"
call true; stop "EXPANSION_COMPLETE"; says "alone on a line it does" "Phase 2 of 5, planning"
call true; stop "PLANNING_COMPLETE"; says "planning needs a plan" "does not count yet"
mkdir -p .omc/plans && echo "1. parse" > .omc/plans/autopilot-impl.md
call true; stop "PLANNING_COMPLETE"; says "then execution begins" "Phase 3 of 5, execution"
check "with ralph" "autopilot ralph ultrawork" "$(on)"
call true; stop "EXECUTION_COMPLETE"; says "then qa" "Phase 4 of 5, qa"
check "with ultraqa" "autopilot ultraqa" "$(on)"
call true; stop "QA_COMPLETE"; says "then validation" "Phase 5 of 5, validation"
stop "AUTOPILOT_COMPLETE"; says "which no word of the main agent ends" "Phase 5 of 5, validation"
for type in functional security quality; do
  reviewer "omc:$type-reviewer" "Fine.

<validation-verdict type=\"$type\">APPROVED</validation-verdict>"
done
call true; stop "VALIDATION_COMPLETE"; says "three reviewers end it" "autopilot has ended after"
check "nothing is left" "" "$(on)"
project; prompt "autopilot: build a parser"; call true; stop "EXPANSION_COMPLETE"; prompt "/cancel autopilot"; check "it is cancelled" "" "$(on)"
prompt "autopilot resume"; check "and resumed in its phase" planning "$(field .omc/state/autopilot-state.json phase)"

echo "== ralph"
approval="Checked.

<architect-approved>VERIFIED_COMPLETE</architect-approved>"
prd() { # passes...
  node -e 'const s = process.argv.slice(1).map((p, i) => ({ id: `US-00${i + 1}`, title: `Story ${i + 1}`, priority: i + 1, acceptanceCriteria: ["works"], passes: p === "yes" }));
    require("fs").writeFileSync("prd.json", JSON.stringify({ project: "app", branchName: "main", description: "d", userStories: s }))' "$@"
}
project; prompt "ralph: fix the login"; check "without a PRD one is made" "fix the login" "$(field .omc/prd.json userStories 0 title)"
project; prd no no; prompt "ralph: do the stories"; stop; says "the first open story is named" "Current story: US-001 Story 1"
prd yes no; call true; stop; says "progress is told" "US-001 Story 1 passes (1 of 2)"; says "and the next story" "Current story: US-002 Story 2"
printf '## Codebase Patterns\n- forms have tokens\n---\n' > progress.txt; call true; stop; says "with what was learned" "forms have tokens"
call true; goes_on "an approval by the main agent ends nothing" "$approval"
reviewer omc:architect "$approval"; call true; goes_on "nor one of open stories"
prd yes yes; call true; stop; says "a complete PRD begins the review" "Review 1 of at most 3 is open"
reviewer omc:executor "$approval"; call true; goes_on "a worker is no reviewer"
reviewer omc:architect "<architect-rejected>no test</architect-rejected>"; call true; stop; says "a rejection is told" "rejected the work (1 of 3): no test"
call true; stop "RALPH_COMPLETE"; says "a claim begins the next review" "Review 2 of at most 3 is open"
reviewer omc:architect "$approval"; call true; stop; says "PRD and reviewer end it" "ralph has ended after"; check "with its ultrawork" "" "$(on)"
project; prd no; prompt "ralph: do the story"; prd yes; reviewer omc:architect "$approval"; call true; stop; says "the reviewer may speak in the turn that completed the PRD" "ralph has ended after"
project; prd no; prompt "ralph: do the story"
for n in 1 2 3; do call true; stop "RALPH_COMPLETE"; reviewer omc:architect "<architect-rejected>no</architect-rejected>"; done
call true; stop; says "three rejections end it as unverified" "ralph has ended"
hookwright mode history --json >"$scratch/out"; check "in the history" unverified "$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).modes.find((m) => m.mode === "ralph").outcome' "$scratch/out")"
project; prd yes yes; prompt "ralph: more"; call true; goes_on "a PRD that was complete before ends nothing"
project; printf '{"userStories":[' > prd.json; prompt "ralph: more"; stop; says "a broken one is named" "prd.json"; check "and left as it is" '{"userStories":[' "$(cat prd.json)"

echo "== ultrawork, ecomode"
project; prompt "ulw: port the scripts"; goes_on "a quoted word ends nothing" 'I will say `ULTRAWORK_COMPLETE`.'
call true; stop "ULTRAWORK_COMPLETE"; says "its word ends it" "ultrawork has ended after 1 round"
project; prompt "ecomode: port the scripts"; says "cheap models are named" "smallest model"; stop "ECOMODE_COMPLETE"; says "its word ends it" "ecomode has ended"

echo "== ultrapilot"
project; prompt "ultrapilot: build the shop"
split='{"subtasks":[{"id":"1","description":"API","files":["src/api/**"],"blockedBy":[]},{"id":"2","description":"Web","files":["src/web/**"],"blockedBy":["1"]}],"sharedFiles":["src/routes.ts"]}'
printf '{"subtasks":[{"id":"1","description":"a","files":["src/**"]},{"id":"2","description":"b","files":["src/web"]}]}' | hookwright mode split >/dev/null 2>"$scratch/err"; check "an overlap is refused" 1 $?
printf '{"subtasks":[{"id":"1","description":"a","files":["a"],"blockedBy":["2"]},{"id":"2","description":"b","files":["b"],"blockedBy":["1"]}]}' | hookwright mode split >/dev/null 2>"$scratch/err"; check "so is a cycle" 1 $?
printf '%s' "$split" | hookwright mode split --json >"$scratch/out" 2>"$scratch/err"; check "the work is divided" 0 $?; says "into workers with files" '"files":["src/web/**"]'
edit "a worker has its files" 0 omc:worker-1 src/api/a.ts
edit "and not another's" 2 omc:worker-1 src/web/a.ts; says "whose they are" "belongs to worker-2"
edit "nor shared ones" 2 omc:worker-1 package.json; says "which are the coordinator's" "belongs to coordinator"
event "a shell write is a write" 2 '"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"x1","agent_id":"b1","agent_type":"worker-1","tool_input":{"command":"echo x > src/routes.ts"}'
call "true"; stop; says "it goes on while workers work" "2 of 2 workers are not complete"
hookwright mode integrate >/dev/null 2>&1; check "nothing to integrate yet" 1 $?
for n in 1 2; do hookwright mode worker $n complete >/dev/null; done
edit "a worker that is done owns nothing" 0 omc:worker-2 src/api/a.ts
hookwright mode integrate >/dev/null; check "then it is integrated" 0 $?
call "true"; stop; says "and over" "ultrapilot has ended after"
project; prompt "$(printf "ultrapilot:\n1. write the API\n2. write the pages")"; hookwright mode split </dev/null >"$scratch/out" 2>&1; says "a list in the request is a split" "worker-2"

echo "== swarm"
project; prompt "swarm 3 agents: port the scripts"; stop; says "without a board it goes on" "There is no task board yet"
hookwright swarm init --agents 3 >/dev/null
check "the board is a database of its own" "SQLite format 3" "$(head -c 15 .omc/state/swarm-tasks.db)"
for n in 1 2 3 4 5 6 7 8 9 10; do hookwright swarm add "script $n" >/dev/null; done
claim() { hookwright swarm claim --agent "$1" --json | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).task?.id ?? "none"'; }
check "tasks are claimed in their order" "task-1 task-2" "$(claim ada) $(claim bob)"
hookwright swarm complete task-1 --agent bob >/dev/null 2>&1; check "only the owner ends a task" 1 $?
hookwright swarm complete task-1 --agent ada >/dev/null; check "who does" 0 $?
hookwright swarm release task-2 --agent bob >/dev/null; check "a released task is the next again" task-2 "$(claim ada)"
hookwright swarm fail task-2 --agent ada --why "no disk" >/dev/null; hookwright swarm retry task-2 >/dev/null; check "so is a failed one that is tried again" task-2 "$(claim bob)"
export LATER=310000 NODE_OPTIONS="--require $scratch/later.cjs"
check "after 5 minutes without a heartbeat as well" task-2 "$(claim cyd)"
hookwright swarm complete task-2 --agent bob >/dev/null 2>&1; check "and its late owner is refused" 1 $?
unset LATER NODE_OPTIONS
call true; stop; says "open tasks are named" "8 tasks are pending and 1 claimed"
prompt "/cancel"; check "a cancellation ends the mode" "" "$(on)"
hookwright swarm status --json >"$scratch/out"; check "and gives the claimed tasks back" '9 0' "$(node -p 'const { counts } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")); `${counts.pending} ${counts.claimed}`' "$scratch/out")"
check "nobody claims another" none "$(claim dan)"
hookwright swarm init >/dev/null
prompt "swarm 3 agents: port the scripts"
for n in 2 3 4 5 6 7 8 9 10; do id=$(claim eve); hookwright swarm complete "$id" --agent eve >/dev/null; [ "$n" -lt 9 ] || [ "$id" = "task-$n" ] || check "task-$n comes in its order" "task-$n" "$id"; done
call true; stop; says "when none is left it is over" "10 of 10 tasks are done."
project; hookwright swarm init >/dev/null; hookwright swarm add old >/dev/null; claim ada >/dev/null; hookwright swarm complete 1 --agent ada >/dev/null
prompt "swarm 2 agents: new work"; goes_on "tasks that were done before are not its own"

echo "== pipeline"
project; prompt "/pipeline review the login"; says "a preset" "explore -> architect -> critic -> executor"
for preset in "implement planner -> executor -> tester" "debug explore -> architect -> fixer" "refactor explore -> architect -> executor -> tester" "security explore -> auditor -> executor -> auditor"; do
  project; prompt "/pipeline ${preset%% *} the login"; says "${preset%% *}" "${preset#* }"
done
project; prompt "/pipeline explore -> fixer: the crash"; call true; stop "A value is null.

STAGE_COMPLETE"; says "the next stage has the last one's result" "resulted in: A value is null."
for n in 2 3 4; do call true; stop "STAGE_FAILED"; says "a failed stage is tried again" "this is try $n of 4"; done
call true; stop "STAGE_FAILED"; says "three times" "Stage fixer has failed 4 times."
project; prompt "/pipeline explore -> fixer: the crash"; call true; stop "STAGE_COMPLETE"; call true; stop "STAGE_COMPLETE"; says "the last stage ends it" "pipeline has ended after"

echo "== ultraqa"
project; prompt '/ultraqa --goal custom --command "make check"'; goes_on "a word ends nothing" "All tests pass."
call "make check || true"; goes_on "nor a call that hides the result"
call "make check"; may_stop "the command itself does"; says "in the summary" "has succeeded"
project; prompt '/ultraqa --goal custom --command "make check"'
for n in 1 2 3; do
  tool='"tool_name":"Bash","tool_use_id":"f'$n'","tool_input":{"command":"make check"}'
  hook "\"hook_event_name\":\"PreToolUse\",$tool"; hook "\"hook_event_name\":\"PostToolUseFailure\",$tool,\"error\":\"Exit code 2\\nFAILED at 2026-01-28T10:00:0$n: login.test.ts:$n:1 ($n ms)\""
done
may_stop "three equal failures end it"; says "and why" "ultraqa has ended"
project; prompt "/ultraqa --goal wrong"; says "an unknown goal is refused" "Goals are tests, build, lint, typecheck and custom"
project; hook '"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"g1","tool_input":{"command":"npm test"}'
hook '"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_use_id":"g1","tool_input":{"command":"npm test"},"error":"Exit code 1\n2 tests failed"'; says "failing tests suggest it" "ultraqa"

echo "== cancel"
for words in cancelomc stopomc /cancel /omc:cancel "cancel ralph" "ralph cancel" "stop ralph"; do
  project; prompt "ralph: fix the login"; prompt "$words"; check "\"$words\"" "" "$(on)"
  may_stop "and nothing is held"
done
project; prompt "ralph: fix the login"; hookwright mode cancel >/dev/null; check "from another terminal" "" "$(on)"
hookwright mode cancel >/dev/null 2>&1; check "nothing is left to cancel" 1 $?
prompt "ulw: port the scripts"; session=s2; prompt "ulw: write the docs"
hookwright mode cancel >"$scratch/out" 2>"$scratch/err"; check "with two sessions it asks which" 1 $?; says "and lists them" "s1 (ultrawork), s2 (ultrawork)"
hookwright mode cancel --session s1 >/dev/null; may_stop "a cancelled session is free, another is not" "Done." '"session_id":"s1"'
goes_on "the other one goes on"
hookwright mode cancel --all >/dev/null; check "all of them" "" "$(on)"

echo "== switched off, and broken input"
project; prompt "ulw: port the scripts"
export DISABLE_OMC=1; may_stop "DISABLE_OMC"; prompt "ralph: fix the login"; check "starts nothing" ultrawork "$(on)"; unset DISABLE_OMC
export OMC_SKIP_HOOKS=persistent-mode,keyword-detector; may_stop "OMC_SKIP_HOOKS"; unset OMC_SKIP_HOOKS
goes_on "and without them it goes on"
event "a stop without a message" 0 '"hook_event_name":"Stop"'
event "a message of the wrong type" 0 '"hook_event_name":"Stop","last_assistant_message":7'
event "a prompt of the wrong type" 0 '"hook_event_name":"UserPromptSubmit","prompt":["ralph: fix it"]'
event "no prompt" 0 '"hook_event_name":"UserPromptSubmit"'
check "and nothing was started" ultrawork "$(on)"
