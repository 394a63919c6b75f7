#!/usr/bin/env bash
# The main job, end to end, on this machine: a solver that writes checkpoints, once as it should be and once with
# collective buffering and data sieving switched off. Prints where every file is.
#
# usage: demo.sh BUILD_DIRECTORY [OUTPUT_DIRECTORY]
set -euo pipefail
build=$1
out=${2:-$(dirname "$(dirname "$build")")/out/demo}
plumbline=$build/bin/plumbline
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

step() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
show() { printf '$ %s\n' "$*"; "$@"; }

# Findings are an answer, not a failure of the demo.
compare() {
  local status=0
  show "$plumbline" compare "$@" || status=$?
  case $status in 0 | 1 | 5) return 0 ;; *) return $status ;; esac
}

rm -rf "$out"
mkdir -p "$out"
cd "$out"
[ -t 1 ] || step() { printf '\n== %s\n' "$*"; }

step "Measure this machine through each MPI (once; under a minute each)"
show "$plumbline" calibrate --quick --mpi openmpi --directory "$out" -o platform-openmpi.xml
show "$plumbline" calibrate --quick --mpi mpich --directory "$out" -o platform-mpich.xml

step "Record a 2-D Jacobi solver on 4 ranks under Open MPI: nothing is changed or re-linked"
show "$plumbline" record -o jacobi-observed -- \
  mpirun.openmpi --oversubscribe -n 4 "$build/bin/examples/jacobi-openmpi" --file checkpoint.dat
step "Work out how long each operation should have taken, and compare"
show "$plumbline" replay jacobi-observed -p platform-openmpi.xml -o jacobi-expected
compare jacobi-observed jacobi-expected --json jacobi-report.json

step "The same under MPICH with collective buffering and data sieving switched off"
show "$plumbline" record -o slow-observed -- \
  mpirun.mpich -n 4 "$build/bin/examples/jacobi-mpich" --file checkpoint.dat \
  --hint romio_cb_write=disable --hint romio_ds_write=disable
show "$plumbline" replay slow-observed -p platform-mpich.xml -o slow-expected
compare slow-observed slow-expected --json slow-report.json

step "Files"
for file in platform-openmpi.xml platform-mpich.xml jacobi-observed/traces.otf2 jacobi-expected/traces.otf2 \
  jacobi-report.json slow-observed/traces.otf2 slow-expected/traces.otf2 slow-report.json; do
  printf '%s\n' "$out/$file"
done
