#!/usr/bin/env bash
# The main job, end to end, on this machine: a solver whose checkpoints are slow, what Plumbline finds, and the same
# solver when its advice is followed.
#
# usage: demo.sh BUILD_DIRECTORY [OUTPUT_DIRECTORY]
set -euo pipefail
build=$(realpath -- "$1")
out=$(realpath -m -- "${2:-$(dirname "$(dirname "$build")")/out/demo}")
plumbline=$build/bin/plumbline
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# Where ranks share cores nobody can tell waiting from not running, so each has one of its own.
cores=$(nproc)
ranks=$((cores < 2 ? 2 : cores > 4 ? 4 : cores))

# MPICH writes files through ROMIO, which the hints below are of; so does Open MPI when asked to.
if command -v mpirun.mpich >/dev/null && [ -x "$build/bin/examples/jacobi-mpich" ]; then
  mpi=mpich launch=(mpirun.mpich -n "$ranks")
else
  mpi=openmpi launch=(mpirun.openmpi --oversubscribe --mca io romio321 -n "$ranks")
fi
solver=("$build/bin/examples/jacobi-$mpi" --file checkpoint.dat)
export PATH=$build/bin:$PATH

step() { if [ -t 1 ]; then printf '\n\033[1m== %s\033[0m\n' "$*"; else printf '\n== %s\n' "$*"; fi; }
show() { printf '$ %s\n' "${*//$build\/bin\/examples\//}"; "$@"; }

# Shows the command; its output only when it fails.
quietly() {
  printf '$ %s\n' "$*"
  "$@" >"$out/log.txt" 2>&1 || { local status=$?; cat "$out/log.txt"; return "$status"; }
}

# Findings are an answer, not a failure of the demo.
compare() {
  local status=0
  show plumbline compare "$@" || status=$?
  case $status in 0 | 1 | 5) return 0 ;; *) return "$status" ;; esac
}

# record_and_compare NAME HINTS..
record_and_compare() {
  local name=$1
  shift
  show plumbline record -o "$name" -- "${launch[@]}" "${solver[@]}" "$@"
  show plumbline replay "$name" -p platform.xml -o "$name-expected"
  compare "$name" "$name-expected" --json "$name.json"
}

rm -rf "$out"
mkdir -p "$out"
cd "$out"

step "Measure this machine through MPI, once (under a minute)"
quietly plumbline calibrate --quick --mpi "$mpi" --directory "$out" -o platform.xml

step "Record a solver on $ranks ranks, work out how long each call should have taken, and compare"
record_and_compare slow --hint romio_cb_write=disable --hint romio_ds_write=disable

step "Follow the advice"
record_and_compare fixed --hint romio_cb_write=enable

# What MPI is told so that ranks of one node do not share memory: the fault that validate is to find.
if [ "$mpi" = mpich ]; then no_shared_memory=UCX_TLS=tcp; else no_shared_memory=OMPI_MCA_btl=tcp,self; fi

# validate DIRECTORY [NAME=VALUE]
validate() {
  local directory=$1 status=0
  shift
  show env "$@" plumbline validate --quick --mpi "$mpi" -o "$directory" || status=$?
  case $status in 0 | 1 | 5) return 0 ;; *) return "$status" ;; esac
}

step "Is this machine as it should be? (a minute or two)"
validate healthy

step "The same with shared memory switched off"
validate broken "$no_shared_memory"

step "All of this is in $out; the reports are healthy/report.html and broken/report.html"
printf 'See it in the browser:\n  %q view %q %q -p %q\n' "$plumbline" "$out/slow" "$out/slow-expected" "$out/platform.xml"
