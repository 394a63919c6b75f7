# Reader tests, and the tracer under real MPI programs. The programs are compiled as a user would: mpicc, nothing else.
set(here ${CMAKE_CURRENT_LIST_DIR})
plumbline_test(tracer_spool_test
  SOURCES ${here}/spool_test.cpp ${here}/packed_test.cpp ${here}/payload_test.cpp ${here}/poll_runs_test.cpp
  USES plumbline_spool
  LABELS tracer)

if(PLUMBLINE_SANITIZED)  # plumbline_test() leaves tests on real MPI out of it
  return()
endif()

set(traced_programs ${PROJECT_BINARY_DIR}/bin/traced)
set(traced_files "")
foreach(flavour IN LISTS PLUMBLINE_MPI_FLAVOURS)
  file(MAKE_DIRECTORY ${traced_programs}/${flavour})
  foreach(program IN ITEMS comm_orders mpi_io_inside point_to_point polls sweep consensus collectives collective_points files ends threads handover waitany persistent matched neighbours pause mpi4
          children file_client file_server given_away hang inner inside limits local_main local_plugin many_calls nonblocking_forms others outcomes failures posix_calls posix_fortified rma rma_large begun_files fast_paths
          secrets sizes spawn survive tools ucp_between workers)
    set(source ${here}/programs/${program}.c)
    set(file ${traced_programs}/${flavour}/${program})
    set(compiler ${PLUMBLINE_MPICC_${flavour}})
    set(options -O1 -pthread)
    if(program STREQUAL local_plugin OR program STREQUAL ucp_between)
      set(options -O1 -shared -fPIC)
    elseif(program STREQUAL local_main OR program STREQUAL file_server)
      set(compiler ${CMAKE_C_COMPILER})
    elseif(program STREQUAL posix_fortified)
      set(source ${here}/programs/posix_calls.c)
      set(options -O2 -D_FORTIFY_SOURCE=2)
    endif()
    add_custom_command(OUTPUT ${file} COMMAND ${compiler} -g -w ${options} -o ${file} ${source} -ldl
                       DEPENDS ${source} COMMENT "Compiling ${program} with ${flavour}")
    list(APPEND traced_files ${file})
  endforeach()
endforeach()

# Layers of the profiling interface, and programs that have one: as a library, inside, behind a module.
function(layered flavour output)
  set(file ${traced_programs}/${flavour}/${output})
  list(TRANSFORM ARGN PREPEND ${here}/programs/ OUTPUT_VARIABLE words REGEX "[.]c$")
  list(TRANSFORM words REPLACE "^WITH/" "${traced_programs}/${flavour}/")
  set(needs ${words})
  list(FILTER needs INCLUDE REGEX "^/")
  add_custom_command(OUTPUT ${file} COMMAND ${PLUMBLINE_MPICC_${flavour}} -g -w -O1 -o ${file} ${words}
                             -Wl,-rpath,${traced_programs}/${flavour}
                     DEPENDS ${needs} COMMENT "Compiling ${output} with ${flavour}")
  set(traced_files ${traced_files} ${file} PARENT_SCOPE)
endfunction()
foreach(flavour IN LISTS PLUMBLINE_MPI_FLAVOURS)
  layered(${flavour} layer -shared -fPIC layer.c)
  layered(${flavour} counting_layer -shared -fPIC counting_layer.c)
  layered(${flavour} fortran_layer -shared -fPIC fortran_layer.c)
  layered(${flavour} layered layered.c)
  layered(${flavour} layered_linked layered.c WITH/layer)
  layered(${flavour} layered_inside layered.c layer.c)
  layered(${flavour} early_init -shared -fPIC early_init.c)
  layered(${flavour} early_main early_main.c WITH/early_init)
  layered(${flavour} opened_mpi -Wl,--as-needed opened_mpi.c)
  layered(${flavour} layered_plugin -shared -fPIC layered.c WITH/layer)
endforeach()

# traced_fortran(PROGRAM OPTIONS .. FILES ..) with each MPI's own Fortran compiler.
find_program(PLUMBLINE_FORTRAN gfortran)
function(traced_fortran program)
  cmake_parse_arguments(ARG "" "" "OPTIONS;FILES" ${ARGN})
  list(TRANSFORM ARG_FILES PREPEND ${here}/programs/)
  foreach(flavour IN LISTS PLUMBLINE_MPI_FLAVOURS)
    find_program(PLUMBLINE_MPIF90_${flavour} NAMES mpif90.${flavour} mpifort.${flavour})
    if(NOT PLUMBLINE_FORTRAN OR NOT PLUMBLINE_MPIF90_${flavour})
      continue()
    endif()
    set(file ${traced_programs}/${flavour}/${program})
    add_custom_command(OUTPUT ${file}
                       COMMAND ${PLUMBLINE_MPIF90_${flavour}} -g -O1 -w -fallow-argument-mismatch -ffree-line-length-none
                               ${ARG_OPTIONS} -o ${file} ${ARG_FILES}
                       DEPENDS ${ARG_FILES} COMMENT "Compiling ${program} with ${flavour}")
    list(APPEND traced_files ${file})
  endforeach()
  set(traced_files ${traced_files} PARENT_SCOPE)
endfunction()
traced_fortran(mpifh OPTIONS -DBINDING=1 FILES bindings.F90)
traced_fortran(mpi OPTIONS -DBINDING=2 FILES bindings.F90)
traced_fortran(mpi_f08 OPTIONS -DBINDING=3 FILES bindings.F90)
traced_fortran(fortran_files FILES fortran_files.F90)
traced_fortran(fortran_particles OPTIONS -std=f2008 FILES fortran_particles.F90)
traced_fortran(mixed FILES mixed.F90 mixed_part.c)
add_custom_command(OUTPUT ${traced_programs}/openmpi/exchange.py
                   COMMAND ${CMAKE_COMMAND} -E copy ${here}/programs/exchange.py ${traced_programs}/openmpi
                   DEPENDS ${here}/programs/exchange.py)
list(APPEND traced_files ${traced_programs}/openmpi/exchange.py)

add_custom_target(traced_programs DEPENDS ${traced_files})

plumbline_test(tracer_preload_test
  SOURCES ${here}/preload_calls_test.cpp ${here}/preload_children_test.cpp ${here}/preload_languages_test.cpp
    ${here}/preload_internals_test.cpp ${here}/preload_layers_test.cpp ${here}/preload_internals_mpich_test.cpp ${here}/preload_limits_test.cpp ${here}/preload_node_test.cpp ${here}/preload_posix_test.cpp ${here}/preload_process_test.cpp
    ${here}/preload_outcomes_test.cpp ${here}/preload_polls_test.cpp ${here}/preload_reached_test.cpp ${here}/preload_requests_test.cpp ${here}/preload_rma_test.cpp ${here}/preload_run_facts_test.cpp
    ${here}/preload_fast_path_test.cpp ${here}/preload_sizes_test.cpp ${here}/archive_support.cpp ${here}/traced.cpp
  USES plumbline_spool plumbline_record fmt::fmt
  LABELS tracer mpi)
target_compile_definitions(tracer_preload_test PRIVATE
  PLUMBLINE_PRELOAD_DIRECTORY="${PROJECT_BINARY_DIR}/lib/plumbline" PLUMBLINE_TRACED_PROGRAMS="${traced_programs}"
  PLUMBLINE_TRACED_SOURCES="${here}/programs")
add_dependencies(tracer_preload_test traced_programs plumbline-preload-posix)
foreach(flavour IN LISTS PLUMBLINE_MPI_FLAVOURS)
  add_dependencies(tracer_preload_test plumbline-preload-${flavour})
endforeach()

# Every MPI function is wrapped, or listed with the reason; and the table has the prototypes of these libraries.
set(coverage "")
foreach(flavour IN LISTS PLUMBLINE_MPI_FLAVOURS)
  list(APPEND coverage $<TARGET_FILE:plumbline-preload-${flavour}> ${traced_programs}/${flavour}/waitany)
  add_test(NAME preload.PrototypesAreThoseOf.${flavour}
           COMMAND ${PLUMBLINE_MPICC_${flavour}} -std=gnu11 -fsyntax-only -w -DPLUMBLINE_EXACT_PROTOTYPES
                   -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -I${PROJECT_SOURCE_DIR}
                   -I${PROJECT_BINARY_DIR}/tracer/preload/generated
                   ${PROJECT_BINARY_DIR}/tracer/preload/generated/plumbline_mpi_table.c)
  set_tests_properties(preload.PrototypesAreThoseOf.${flavour} PROPERTIES LABELS "tracer;mpi")
endforeach()
list(LENGTH PLUMBLINE_MPI_FLAVOURS found)
if(found EQUAL 2)  # an entry of the list may stand for what only one of them has
  add_test(NAME preload.EveryMpiFunctionIsWrappedOrListed
           COMMAND python3 ${here}/mpi_coverage.py ${PROJECT_SOURCE_DIR}/tracer/preload/mpi/mpi_not_wrapped.txt ${coverage})
  set_tests_properties(preload.EveryMpiFunctionIsWrappedOrListed PROPERTIES LABELS "tracer;mpi")
endif()

# A site that builds without cmake gets the same libraries.
add_test(NAME preload.TheMakefileHasTheSourcesOfCMake
         COMMAND python3 ${here}/makefile_sources.py ${PROJECT_SOURCE_DIR}/tracer/preload)
set_tests_properties(preload.TheMakefileHasTheSourcesOfCMake PROPERTIES LABELS tracer)
