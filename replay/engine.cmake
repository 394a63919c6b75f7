# The replay engine, from the bottom up: messages, files, and the run loop that joins them.
plumbline_library(replay_mpi
  HEADERS mpi/channels.hpp mpi/communicators.hpp mpi/costs.hpp mpi/engine.hpp mpi/schedule.hpp
  SOURCES mpi/channels.cpp mpi/communicators.cpp mpi/costs.cpp mpi/engine.cpp mpi/engine_collectives.cpp
          mpi/schedule.cpp
  DEPENDS hwmodels program
  USES fmt::fmt)
plumbline_library(replay_io
  HEADERS io/collective_calls.hpp io/file_operation.hpp io/footprint.hpp io/hints.hpp io/independent.hpp
          io/library_call.hpp io/lock_table.hpp io/ompio.hpp io/pattern.hpp io/plan.hpp io/romio.hpp io/rounds.hpp
          io/settings.hpp io/two_phase.hpp
  SOURCES io/collective_calls.cpp io/footprint.cpp io/hints.cpp io/independent.cpp io/library_call.cpp
          io/lock_table.cpp io/ompio.cpp io/pattern.cpp io/plan.cpp io/romio.cpp io/rounds.cpp io/settings.cpp
          io/two_phase.cpp
  DEPENDS hwmodels program archive
  USES fmt::fmt)
plumbline_library(replay
  HEADERS replay.hpp inner_streams.hpp judge.hpp run.hpp run_files.hpp stuck.hpp
  SOURCES replay.cpp judge.cpp placement.cpp run.cpp run_files.cpp run_inner.cpp run_io.cpp run_library_io.cpp
          inner_streams.cpp ideal_io.cpp stuck.cpp
  DEPENDS replay_mpi replay_io
  USES fmt::fmt)
