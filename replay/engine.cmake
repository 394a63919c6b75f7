# The replay engine, from the bottom up: messages, files, and the run loop that joins them.
plumbline_library(collective_calls
  HEADERS mpi/collective_call.hpp
  SOURCES mpi/collective_call.cpp
  DEPENDS program schedules)
plumbline_library(replay_mpi
  HEADERS mpi/channels.hpp mpi/collective_plan.hpp mpi/communicators.hpp mpi/connections.hpp mpi/costs.hpp
          mpi/engine.hpp mpi/lanes.hpp mpi/large_vector.hpp mpi/neighbourhood.hpp mpi/noise.hpp mpi/packet_network.hpp mpi/sampled_messages.hpp mpi/schedule.hpp mpi/wildcards.hpp mpi/wires.hpp mpi/window_rules.hpp
          mpi/windows.hpp
  SOURCES mpi/channels.cpp mpi/collective_plan.cpp mpi/communicators.cpp mpi/connections.cpp mpi/costs.cpp
          mpi/engine.cpp mpi/engine_collectives.cpp mpi/engine_waits.cpp mpi/lanes.cpp mpi/sampled_messages.cpp mpi/neighbourhood.cpp mpi/noise.cpp mpi/schedule.cpp
          mpi/packet_network.cpp mpi/wildcards.cpp mpi/wires.cpp
          mpi/window_locks.cpp mpi/window_report.cpp mpi/window_rules.cpp mpi/window_transfers.cpp mpi/windows.cpp
  DEPENDS hwmodels program schedules
  USES fmt::fmt)
plumbline_library(replay_io
  HEADERS io/begun_collectives.hpp io/collective_calls.hpp io/file_operation.hpp io/footprint.hpp io/hints.hpp io/independent.hpp
          io/library_call.hpp io/lock_table.hpp io/ompio.hpp io/pattern.hpp io/plan.hpp io/romio.hpp io/rounds.hpp
          io/settings.hpp io/two_phase.hpp
  SOURCES io/begun_collectives.cpp io/collective_calls.cpp io/footprint.cpp io/hints.cpp io/independent.cpp io/library_call.cpp
          io/lock_table.cpp io/ompio.cpp io/pattern.cpp io/plan.cpp io/romio.cpp io/rounds.cpp io/settings.cpp
          io/two_phase.cpp
  DEPENDS hwmodels program archive
  USES fmt::fmt)
plumbline_library(replay
  HEADERS best_schedule.hpp choices.hpp collective_choice.hpp cores.hpp distributed_files.hpp inner_streams.hpp
          judge.hpp open_receives.hpp replay.hpp run.hpp
          run_files.hpp stuck.hpp unanswered.hpp
  SOURCES best_schedule.cpp choices.cpp collective_choice.cpp cores.cpp distributed_files.cpp ideal_io.cpp
          inner_streams.cpp judge.cpp open_receives.cpp
          placement.cpp replay.cpp run.cpp run_ahead.cpp run_compute.cpp run_files.cpp run_inner.cpp run_io.cpp
          run_library_io.cpp run_messages.cpp run_use.cpp stuck.cpp unanswered.cpp
  DEPENDS replay_mpi replay_io collective_calls hwmodels_storage
  USES fmt::fmt)
