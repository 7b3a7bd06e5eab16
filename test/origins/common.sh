# What every script here shares: a scratch world of its own, counted checks, and nothing left behind. `$1` names it.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d "/tmp/hw-$1-XXXXXX")
export HOME="$scratch/home" HOOKWRIGHT_HOME="$scratch/hw" XDG_RUNTIME_DIR="$scratch/run"
unset CLAUDECODE HOOKWRIGHT_DISABLE
mkdir -p "$HOME" "$HOOKWRIGHT_HOME" "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"
passed=0
failed=0

# A script with more to put away has a function of this name.
put_away() { :; }

finish() {
  put_away
  node "$root/bin/hookwright.mjs" daemon stop >/dev/null 2>&1
  rm -rf "$scratch"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  # What a trap returns is not what the script returns.
  [ "$failed" -eq 0 ] || exit 1
}
trap finish EXIT

check() { # name expected actual
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
    printf 'ok    %s\n' "$1"
  else
    failed=$((failed + 1))
    printf 'FAIL  %s: expected %s, got %s\n%s\n' "$1" "$2" "$3" "$(cat "$scratch/out" "$scratch/err" 2>/dev/null)"
  fi
}
