# plumbline_mpi_program(NAME SOURCE file.c .. [HEADERS file.h ..] [OPTIONS of the compiler ..] DIRECTORY where)
# compiles a C program with every MPI that was found, by its own wrapper compiler: DIRECTORY/NAME-<flavour>.
# Targets: NAME-<flavour>, each part of `all`.
function(plumbline_mpi_program name)
  cmake_parse_arguments(ARG "" "DIRECTORY" "SOURCE;HEADERS;OPTIONS" ${ARGN})
  list(TRANSFORM ARG_SOURCE PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
  list(TRANSFORM ARG_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE headers)
  # MPICH declares status arguments as arrays, and MPI_STATUSES_IGNORE is none: no -Wstringop-overflow.
  set(flags -std=gnu11 -O2 -g -Wall -Wextra -Wshadow -Wno-stringop-overflow $<$<BOOL:${PLUMBLINE_WERROR}>:-Werror>
    ${ARG_OPTIONS})
  foreach(flavour IN LISTS PLUMBLINE_MPI_FLAVOURS)
    set(program ${ARG_DIRECTORY}/${name}-${flavour})
    add_custom_command(
      OUTPUT ${program}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${ARG_DIRECTORY}
      COMMAND ${PLUMBLINE_MPICC_${flavour}} ${flags} ${sources} -o ${program} -lm
      DEPENDS ${sources} ${headers}
      COMMENT "Building ${name} for ${flavour}"
      COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(${name}-${flavour} ALL DEPENDS ${program})
  endforeach()
endfunction()
