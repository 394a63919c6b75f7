# The program of the ranks, once for each MPI.
set(ranks_sources
  ranks/adaptive_sizes.cpp
  ranks/broadcast_schemes.cpp
  ranks/bursts.cpp
  ranks/cells.cpp
  ranks/collective_call.cpp
  ranks/collectives.cpp
  ranks/describe.cpp
  ranks/families.cpp
  ranks/file_access.cpp
  ranks/identify.cpp
  ranks/identity.cpp
  ranks/library_settings.cpp
  ranks/local.cpp
  ranks/main.cpp
  ranks/mca_variables.cpp
  ranks/memory_area.cpp
  ranks/metadata.cpp
  ranks/mpi_file.cpp
  ranks/neighbourhood.cpp
  ranks/neighbours.cpp
  ranks/grid.cpp
  ranks/topology_creation.cpp
  ranks/nonblocking.cpp
  ranks/one_sided.cpp
  ranks/overlap.cpp
  ranks/pairs.cpp
  ranks/places.cpp
  ranks/point_to_point.cpp
  ranks/recorder.cpp
  ranks/requests.cpp
  ranks/sizes.cpp
  ranks/socket.cpp
  ranks/talk.cpp
  ranks/transfer.cpp
  ranks/network/absence.cpp
  ranks/network/cells.cpp
  ranks/network/duo.cpp
  ranks/network/families.cpp
  ranks/network/overheads.cpp
  ranks/network/pairs.cpp
  ranks/network/progress.cpp
  ranks/network/protocol.cpp
  ranks/network/prtt.cpp
  ranks/network/stations.cpp
  ranks/network/streaming.cpp
  ranks/network/streams.cpp
  ranks/loopback.cpp
  ranks/transports.cpp
  ranks/network/order.cpp
  ranks/network/queue.cpp
  ranks/network/frames.cpp
  ranks/interfaces.cpp
)
foreach(flavour IN LISTS PLUMBLINE_MPI_FLAVOURS)
  set(program plumbline-bench-ranks-${flavour})
  add_executable(${program} ${ranks_sources})
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
