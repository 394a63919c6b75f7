# Reader tests, and the tracer under real MPI programs. The programs are compiled as a user would: mpicc, nothing else.
set(here ${CMAKE_CURRENT_LIST_DIR})
plumbline_test(tracer_spool_test
  SOURCES ${here}/spool_test.cpp
  USES plumbline_spool
  LABELS tracer)

if(PLUMBLINE_ASAN)  # plumbline_test() leaves tests on real MPI out of it
  return()
endif()

set(traced_programs ${PROJECT_BINARY_DIR}/bin/traced)
set(traced_files "")
foreach(flavour IN LISTS PLUMBLINE_MPI_FLAVOURS)
  file(MAKE_DIRECTORY ${traced_programs}/${flavour})
  foreach(program IN ITEMS point_to_point collectives files ends threads waitany local_plugin local_main posix_calls
          posix_fortified)
    set(source ${here}/programs/${program}.c)
    set(file ${traced_programs}/${flavour}/${program})
    set(compiler ${PLUMBLINE_MPICC_${flavour}})
    set(options -O1 -pthread)
    if(program STREQUAL local_plugin)
      set(options -O1 -shared -fPIC)
    elseif(program STREQUAL local_main)
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
add_custom_target(traced_programs DEPENDS ${traced_files})

plumbline_test(tracer_preload_test
  SOURCES ${here}/preload_calls_test.cpp ${here}/preload_posix_test.cpp ${here}/preload_process_test.cpp ${here}/traced.cpp
  USES plumbline_spool fmt::fmt
  LABELS tracer mpi)
target_compile_definitions(tracer_preload_test PRIVATE
  PLUMBLINE_PRELOAD_DIRECTORY="${PROJECT_BINARY_DIR}/lib/plumbline" PLUMBLINE_TRACED_PROGRAMS="${traced_programs}")
add_dependencies(tracer_preload_test traced_programs)
foreach(flavour IN LISTS PLUMBLINE_MPI_FLAVOURS)
  add_dependencies(tracer_preload_test plumbline-preload-${flavour})
endforeach()
