#!/bin/sh
# What recording costs: ns that the tracer adds to a call, per MPI flavour. Untraced and traced runs alternate, so that
# both meet the same weather; medians over the runs.
# usage: tracer_bench.sh BUILD_DIRECTORY [RUNS]
set -eu
[ $# -ge 1 ] || { echo "usage: $0 BUILD_DIRECTORY [RUNS]" >&2; exit 2; }
build=$(cd "$1" && pwd)
runs=${2:-7}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

for flavour in openmpi mpich; do
  library=$build/lib/plumbline/libplumbline-preload-$flavour.so
  [ -e "$library" ] && command -v mpicc.$flavour >/dev/null || { echo "$flavour: not built here"; continue; }
  mpicc.$flavour -O2 -w -o "$work/bench" "$here/tracer_bench.c"
  : >"$work/plain"; : >"$work/traced"
  for run in $(seq "$runs"); do # as a singleton: no launcher is needed
    timeout 60 "$work/bench" "$work" >>"$work/plain"
    timeout 60 env PLUMBLINE_SPOOL="$work/spools" LD_PRELOAD="$library" "$work/bench" "$work" >>"$work/traced"
    rm -rf "$work/spools"
  done
  python3 - "$flavour" "$work/plain" "$work/traced" <<'PYTHON'
import statistics
import sys

def read(path):
    values = {}
    for line in open(path):
        name, ns = line.split()
        values.setdefault(name, []).append(float(ns))
    return {name: statistics.median(one) for name, one in values.items()}

flavour, plain, traced = sys.argv[1], read(sys.argv[2]), read(sys.argv[3])
print(f"{flavour:<22}{'untraced':>10}{'traced':>10}{'added':>10}   ns per call, medians")
for name, ns in plain.items():
    print(f"  {name:<20}{ns:>10.1f}{traced[name]:>10.1f}{traced[name] - ns:>10.1f}")
PYTHON
done
