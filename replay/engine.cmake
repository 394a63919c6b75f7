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
    engine/distributed_files.hpp engine/inner_streams.hpp engine/model_coverage.hpp mpi/open_receives.hpp
    engine/replay.hpp mpi/stuck.hpp engine/unmatched_operations.hpp engine/run/ahead.hpp
    engine/run/collective_access.hpp engine/run/compute.hpp engine/run/file_accesses.hpp engine/run/file_calls.hpp
    engine/run/file_state.hpp engine/run/inner.hpp engine/run/library_access.hpp engine/run/loop.hpp
    engine/run/messages.hpp engine/run/phases.hpp engine/run/run.hpp engine/run/use.hpp
  SOURCES mpi/best_schedule.cpp engine/choices.cpp engine/collective_choice.cpp engine/cores.cpp
    engine/distributed_files.cpp engine/ideal_io.cpp engine/inner_streams.cpp engine/model_coverage.cpp
    mpi/open_receives.cpp engine/placement.cpp mpi/stuck.cpp engine/unmatched_operations.cpp engine/run/ahead.cpp
    engine/run/collective_access.cpp engine/run/compute.cpp engine/run/file_accesses.cpp engine/run/file_calls.cpp
    engine/run/file_state.cpp engine/run/inner.cpp engine/run/library_access.cpp engine/run/loop.cpp
    engine/run/messages.cpp engine/run/phases.cpp engine/run/replay.cpp engine/run/run.cpp engine/run/use.cpp
  DEPENDS replay_mpi replay_io collective_calls hwmodels_storage
  USES fmt::fmt)
