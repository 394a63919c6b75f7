#!/usr/bin/env bash
# Prints the project's figures. Nothing passes or fails here: machines differ; compare runs of one machine.
#
# usage: run.sh BUILD_DIRECTORY [sim|assemble|compile|compare|tracer|measuring|viewer|schemes ...]     all but schemes without a name
#
# `schemes` measures for some minutes, and draws docs/figures/schemes-*.svg again.
set -euo pipefail
build=$1
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -gt 0 ] || set -- sim assemble compile compare tracer measuring viewer

printf '# %s, %s cores, load %s\n' "$(uname -sr)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
for name in "$@"; do
  case $name in
    sim)
      printf '\n## Event queue\n'
      "$build/bin/event_queue_bench"
      printf '\n## Network of packets\n'
      "$build/bin/network_bench"
      printf '\n## Replay: 2-D halo exchange, 256 ranks, about a million messages, LogGP and packets\n'
      "$build/bin/halo"
      printf '\n## Replay: alltoall and dissemination, about a million messages each, LogGP\n'
      # Each in a process of its own: what one leaves of the heap in pieces would count as memory of the other.
      "$build/bin/patterns" 1024 1
      "$build/bin/patterns" 1 65536
      printf '\n## Replay: messages of collectives, and the search for the fastest algorithm\n'
      "$build/bin/collectives_bench"
      printf '\n## Replay: collective write in two phases, 512 ranks, 16 aggregators, 1 TiB\n'
      "$build/bin/two_phase"
      printf '\n## Replay from archive to archive: the same halo exchange on the fat tree\n'
      "$build/bin/end_to_end" "$build/bin/plumbline" "$here/../../hwmodels/platforms/fat-tree-256.xml"
      printf '\n## Replay: all replays of one expectation, one after the other and side by side\n'
      "$build/bin/side_by_side" "$here/../../hwmodels/platforms/fat-tree-256.xml"
      printf '\n## Replay and comparison: memory by the operation\n'
      "$build/bin/memory_bench" "$build/bin/plumbline" "$here/../../hwmodels/platforms/fat-tree-256.xml"
      printf '\n## Replay: the same onto 16 file servers\n'
      "$build/bin/two_phase_servers"
      printf '\n## Beside SimGrid: the same halo exchange on the fat tree\n'
      "$here/simgrid.py" "$build"
      ;;
    compile)
      printf '\n## From archive to program\n'
      "$build/bin/compile_bench"
      ;;
    assemble)
      printf '\n## From spool to archive, per core\n'
      "$build/bin/assemble_bench"
      ;;
    compare)
      printf '\n## From an expected archive to a report\n'
      "$build/bin/compare_bench"
      ;;
    tracer)
      printf '\n## Added per traced call\n'
      "$here/tracer_bench.py" "$build"
      ;;
    measuring)
      printf '\n## Added per timed repetition\n'
      for program in "$build"/bin/measuring_bench-*; do "$program"; done
      printf '\n## One operation by three methods of timing\n'
      for program in "$build"/bin/timing_methods_bench-*; do
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
          timeout 120 "mpirun.${program##*-}" -n 2 "$program"
      done
      ;;
    viewer)
      printf '\n## Index of the viewer, and strips of a full view: 1,920 pixels, 128 lanes\n'
      "$build/bin/viewer_index_bench" 10000000 128
      printf '\n## The same with three times the operations\n'
      "$build/bin/viewer_index_bench" 30000000 128
      printf '\n## The same with 4,096 ranks\n'
      "$build/bin/viewer_index_bench" 10000000 4096 fold
      printf '\n## Opening a run and its expectation in the viewer, and the floor of libotf2\n'
      "$build/bin/viewer_opening_bench" "$build/bin/plumbline" "$here/../../hwmodels/platforms/fat-tree-256.xml"
      printf '\n## Analyses of the viewer\n'
      "$build/bin/viewer_analyses_bench" 10000000 64
      printf '\n## The same with 4,096 ranks\n'
      "$build/bin/viewer_analyses_bench" 10000000 4096
      printf '\n## Exports: CSV, Perfetto, Paraver\n'
      "$build/bin/viewer_export_bench"
      ;;
    schemes)
      printf '\n## Schemes of timing a broadcast\n'
      "$here/schemes.py" "$build"
      ;;
    *)
      printf "no benchmark '%s': sim, assemble, compile, compare, tracer, measuring, viewer, schemes\n" "$name" >&2
      exit 2
      ;;
  esac
done
