#!/bin/sh
# The event is on standard input and the answer goes to standard output. A colleague without hookwright is not held up.
command -v hookwright >/dev/null 2>&1 || exit 0
exec hookwright hook --profile plan --reply json
