# The replay engine, from the bottom up: messages, files, and the run loop that joins them.
plumbline_library(collective_calls
  HEADERS collectives/collective_call.hpp
  SOURCES collectives/collective_call.cpp
  DEPENDS program schedules)
plumbline_library(replay_mpi
  HEADERS collectives/collective_plan.hpp collectives/neighbourhood.hpp collectives/schedule.hpp
    mpi/matching/communicators.hpp mpi/engine.hpp mpi/engine_calls.hpp mpi/engine_collectives.hpp mpi/engine_messages.hpp
    mpi/engine_rendezvous.hpp mpi/engine_requests.hpp mpi/engine_wildcards.hpp mpi/transfers/channels.hpp
    mpi/transfers/connections.hpp mpi/transfers/costs.hpp mpi/transfers/lanes.hpp mpi/transfers/large_vector.hpp
    mpi/transfers/network_port.hpp mpi/transfers/noise.hpp mpi/transfers/packet_network.hpp
    mpi/transfers/sampled_messages.hpp mpi/matching/wildcards.hpp mpi/window_calls.hpp mpi/window_control.hpp
    mpi/window_locks.hpp mpi/window_report.hpp mpi/window_rules.hpp mpi/window_transfers.hpp mpi/windows.hpp
  SOURCES collectives/collective_plan.cpp collectives/neighbourhood.cpp collectives/schedule.cpp
    mpi/matching/communicators.cpp mpi/engine.cpp mpi/engine_calls.cpp mpi/engine_collectives.cpp mpi/engine_messages.cpp
    mpi/engine_rendezvous.cpp mpi/engine_requests.cpp mpi/engine_wildcards.cpp mpi/transfers/channels.cpp
    mpi/transfers/connections.cpp mpi/transfers/costs.cpp mpi/transfers/lanes.cpp mpi/transfers/network_port.cpp
    mpi/transfers/noise.cpp mpi/transfers/packet_network.cpp mpi/transfers/sampled_messages.cpp mpi/matching/wildcards.cpp
    mpi/window_calls.cpp mpi/window_control.cpp mpi/window_locks.cpp mpi/window_report.cpp mpi/window_rules.cpp
    mpi/window_transfers.cpp mpi/windows.cpp
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
  HEADERS mpi/best_schedule.hpp engine/access.hpp engine/choices.hpp engine/collective_choice.hpp engine/cores.hpp
    engine/distributed_files.hpp engine/inner_streams.hpp engine/model_coverage.hpp mpi/matching/open_receives.hpp
    engine/replay.hpp mpi/stuck.hpp engine/unmatched_operations.hpp engine/run/ahead.hpp
    engine/run/collective_access.hpp engine/run/compute.hpp engine/run/file_accesses.hpp engine/run/file_calls.hpp
    engine/run/file_state.hpp engine/run/inner.hpp engine/run/library_access.hpp engine/run/loop.hpp
    engine/run/messages.hpp engine/run/phases.hpp engine/run/run.hpp engine/run/use.hpp
  SOURCES mpi/best_schedule.cpp engine/choices.cpp engine/collective_choice.cpp engine/cores.cpp
    engine/distributed_files.cpp engine/ideal_io.cpp engine/inner_streams.cpp engine/model_coverage.cpp
    mpi/matching/open_receives.cpp engine/placement.cpp mpi/stuck.cpp engine/unmatched_operations.cpp engine/run/ahead.cpp
    engine/run/collective_access.cpp engine/run/compute.cpp engine/run/file_accesses.cpp engine/run/file_calls.cpp
    engine/run/file_state.cpp engine/run/inner.cpp engine/run/library_access.cpp engine/run/loop.cpp
    engine/run/messages.cpp engine/run/phases.cpp engine/run/replay.cpp engine/run/run.cpp engine/run/use.cpp
  DEPENDS replay_mpi replay_io collective_calls hwmodels_storage
  USES fmt::fmt)
