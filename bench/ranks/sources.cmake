# The program of the ranks, once for each MPI.
set(ranks_sources
  ranks/runtime/adaptive_sizes.cpp
  ranks/collectives/broadcast_schemes.cpp
  ranks/point_to_point/bursts.cpp
  ranks/runtime/cells.cpp
  ranks/collectives/collective_call.cpp
  ranks/collectives/collectives.cpp
  ranks/describe.cpp
  ranks/families.cpp
  ranks/mpi_io/file_access.cpp
  ranks/environment/identify.cpp
  ranks/environment/identity.cpp
  ranks/environment/library_settings.cpp
  ranks/environment/machine_turn.cpp
  ranks/local.cpp
  ranks/main.cpp
  ranks/environment/mca_variables.cpp
  ranks/runtime/memory_area.cpp
  ranks/mpi_io/metadata.cpp
  ranks/mpi_io/mpi_file.cpp
  ranks/collectives/neighbourhood.cpp
  ranks/collectives/neighbours.cpp
  ranks/collectives/grid.cpp
  ranks/collectives/topology_creation.cpp
  ranks/collectives/nonblocking.cpp
  ranks/point_to_point/one_sided.cpp
  ranks/runtime/overlap.cpp
  ranks/runtime/pairs.cpp
  ranks/environment/places.cpp
  ranks/point_to_point/point_to_point.cpp
  ranks/runtime/recorder.cpp
  ranks/runtime/requests.cpp
  ranks/runtime/sizes.cpp
  ranks/environment/socket.cpp
  ranks/runtime/rank_comm.cpp
  ranks/point_to_point/transfer.cpp
  ranks/network/absence.cpp
  ranks/network/cells.cpp
  ranks/network/rank_pair.cpp
  ranks/network/families.cpp
  ranks/network/overheads.cpp
  ranks/network/pairs.cpp
  ranks/network/progress.cpp
  ranks/network/protocol.cpp
  ranks/network/prtt.cpp
  ranks/network/stations.cpp
  ranks/network/streaming.cpp
  ranks/network/streams.cpp
  ranks/environment/loopback.cpp
  ranks/environment/transports.cpp
  ranks/network/order.cpp
  ranks/network/queue.cpp
  ranks/network/frames.cpp
  ranks/environment/interfaces.cpp
)
foreach(flavour IN LISTS PLUMBLINE_MPI_FLAVOURS)
  set(program plumbline-bench-ranks-${flavour})
  add_executable(${program} ${ranks_sources})
  plumbline_join_sources(${program})
  plumbline_precompile_headers(${program} OWN)
  target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${program} PRIVATE PLUMBLINE_FLAVOUR="${flavour}")
  target_link_libraries(${program} PRIVATE plumbline_flags plumbline_bench_inside_${flavour} plumbline_bench_stopping
    plumbline_bench_stream plumbline_bench plumbline_node plumbline_bench_network_plans mpi_program_${flavour} fmt::fmt nlohmann_json::nlohmann_json
    ${CMAKE_DL_LIBS})
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  install(TARGETS ${program} RUNTIME DESTINATION lib/plumbline)
  target_link_libraries(${program} PRIVATE plumbline_bench_ranks_storage_${flavour} plumbline_bench_storage)
  if(flavour STREQUAL "mpich")
    target_sources(${program} PRIVATE ranks/ucx_close.cpp)
  endif()
endforeach()
