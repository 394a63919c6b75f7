#!/bin/sh
# A launcher that leaves the seconds that it took in $PLUMBLINE_SUITES_TIMES: what comes after it, as the assembly of an
# archive, does not slow a program down.
start=$(date +%s.%N)
"$PLUMBLINE_SUITES_LAUNCHER" "$@"
status=$?
echo "$start $(date +%s.%N)" >"$PLUMBLINE_SUITES_TIMES"
exit $status
