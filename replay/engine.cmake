# The replay engine, from the bottom up: messages, files, and the run loop that joins them.
plumbline_library(replay_mpi
  HEADERS mpi/channels.hpp mpi/communicators.hpp mpi/connections.hpp mpi/costs.hpp mpi/engine.hpp mpi/large_vector.hpp mpi/noise.hpp
          mpi/schedule.hpp mpi/wires.hpp
  SOURCES mpi/channels.cpp mpi/communicators.cpp mpi/connections.cpp mpi/costs.cpp mpi/engine.cpp
          mpi/engine_collectives.cpp mpi/noise.cpp mpi/schedule.cpp mpi/wires.cpp
  DEPENDS hwmodels program
  USES fmt::fmt)
plumbline_library(replay_io
  HEADERS io/file_operation.hpp io/footprint.hpp io/ompio.hpp io/plan.hpp io/romio.hpp io/two_phase.hpp
  SOURCES io/footprint.cpp io/ompio.cpp io/plan.cpp io/romio.cpp io/two_phase.cpp
  DEPENDS hwmodels program archive)
plumbline_library(replay
  HEADERS replay.hpp cores.hpp inner_streams.hpp judge.hpp run.hpp stuck.hpp
  SOURCES replay.cpp cores.cpp judge.cpp placement.cpp run.cpp run_inner.cpp run_io.cpp inner_streams.cpp ideal_io.cpp stuck.cpp
  DEPENDS replay_mpi replay_io
  USES fmt::fmt)
