# The replay engine, from the bottom up: messages, files, and the run loop that joins them.
plumbline_library(collective_calls
  HEADERS collectives/collective_call.hpp
  SOURCES collectives/collective_call.cpp
  DEPENDS program schedules)
plumbline_library(replay_mpi
  HEADERS mpi/transfers/channels.hpp collectives/collective_plan.hpp mpi/communicators.hpp mpi/transfers/connections.hpp
    mpi/transfers/costs.hpp mpi/engine.hpp mpi/transfers/lanes.hpp mpi/transfers/large_vector.hpp
    collectives/neighbourhood.hpp mpi/transfers/noise.hpp mpi/transfers/packet_network.hpp
    mpi/transfers/sampled_messages.hpp collectives/schedule.hpp mpi/wildcards.hpp mpi/transfers/network_port.hpp
    mpi/window_rules.hpp mpi/windows.hpp
  SOURCES mpi/transfers/channels.cpp collectives/collective_plan.cpp mpi/communicators.cpp mpi/transfers/connections.cpp
    mpi/transfers/costs.cpp mpi/engine.cpp mpi/engine_collectives.cpp mpi/engine_rendezvous.cpp mpi/engine_waits.cpp
    mpi/transfers/lanes.cpp
    mpi/transfers/sampled_messages.cpp collectives/neighbourhood.cpp mpi/transfers/noise.cpp collectives/schedule.cpp
    mpi/transfers/packet_network.cpp mpi/wildcards.cpp mpi/transfers/network_port.cpp mpi/window_locks.cpp
    mpi/window_report.cpp mpi/window_rules.cpp mpi/window_transfers.cpp mpi/windows.cpp
  DEPENDS hwmodels program schedules
  USES fmt::fmt)
plumbline_library(replay_io
  HEADERS io/nonblocking_collectives.hpp io/collective_calls.hpp io/file_operation.hpp io/footprint.hpp io/hints.hpp
    io/independent.hpp io/library_call.hpp io/lock_table.hpp io/ompio.hpp io/pattern.hpp io/plan.hpp io/romio.hpp
    io/rounds.hpp io/settings.hpp io/append_transfer.hpp
  SOURCES io/nonblocking_collectives.cpp io/collective_calls.cpp io/footprint.cpp io/hints.cpp io/independent.cpp
    io/library_call.cpp io/lock_table.cpp io/ompio.cpp io/pattern.cpp io/plan.cpp io/romio.cpp io/rounds.cpp
    io/settings.cpp io/append_transfer.cpp
  DEPENDS hwmodels program archive
  USES fmt::fmt)
plumbline_library(replay
  HEADERS mpi/best_schedule.hpp engine/choices.hpp engine/collective_choice.hpp engine/cores.hpp
    engine/distributed_files.hpp engine/inner_streams.hpp engine/model_coverage.hpp mpi/open_receives.hpp engine/replay.hpp
    engine/run.hpp engine/run_files.hpp mpi/stuck.hpp engine/unmatched_operations.hpp
  SOURCES mpi/best_schedule.cpp engine/choices.cpp engine/collective_choice.cpp engine/cores.cpp
    engine/distributed_files.cpp engine/ideal_io.cpp engine/inner_streams.cpp engine/model_coverage.cpp mpi/open_receives.cpp
    engine/placement.cpp engine/replay.cpp engine/run.cpp engine/run_ahead.cpp engine/run_compute.cpp
    engine/run_files.cpp engine/run_inner.cpp engine/run_io.cpp engine/run_library_io.cpp engine/run_messages.cpp
    engine/run_use.cpp mpi/stuck.cpp engine/unmatched_operations.cpp
  DEPENDS replay_mpi replay_io collective_calls hwmodels_storage
  USES fmt::fmt)
