#!/bin/sh
# ancestors.sh PROGRAM ..: says of this process and those above it whether the tracer is mapped in them, then becomes
# the program.
process=$$
while [ "$process" -gt 1 ]; do
  if [ ! -r /proc/$process/maps ]; then break; fi
  if grep -q libplumbline-preload /proc/$process/maps; then state=traced; else state=untouched; fi
  echo "$state $(cat /proc/$process/comm)"
  process=$(sed -n 's/^PPid:[[:space:]]*//p' /proc/$process/status)
done
exec "$@"
