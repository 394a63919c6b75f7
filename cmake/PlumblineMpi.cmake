# Both MPI flavours in one tree. FindMPI caches one, so the wrapper compilers are asked; only the include path is taken:
# the preload library must not link libmpi, because it is loaded beside whatever libmpi the program brings.
# Result: PLUMBLINE_MPI_FLAVOURS, and per flavour PLUMBLINE_MPICC_<flavour> and the interface targets mpi_headers_<flavour> and
# mpi_program_<flavour>.
# None under a sanitizer, which no job of MPI bears.
set(PLUMBLINE_MPI_FLAVOURS "")
if(PLUMBLINE_SANITIZED)
  return()
endif()
foreach(flavour IN ITEMS openmpi mpich)
  find_program(PLUMBLINE_MPICC_${flavour} NAMES mpicc.${flavour})
  if(NOT PLUMBLINE_MPICC_${flavour})
    message(STATUS "No mpicc.${flavour}: nothing is built for ${flavour}")
    continue()
  endif()
  execute_process(COMMAND ${PLUMBLINE_MPICC_${flavour}} -show OUTPUT_VARIABLE shown OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(words UNIX_COMMAND "${shown}")
  set(directories ${words})
  list(FILTER directories INCLUDE REGEX "^-I")
  list(TRANSFORM directories REPLACE "^-I" "")
  add_library(mpi_headers_${flavour} INTERFACE)
  target_include_directories(mpi_headers_${flavour} SYSTEM INTERFACE ${directories})
  target_compile_definitions(mpi_headers_${flavour} INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  # For programs of ours in C++ that are started as ranks.
  set(link ${words})
  list(FILTER link INCLUDE REGEX "^-[Ll]")
  add_library(mpi_program_${flavour} INTERFACE)
  target_link_libraries(mpi_program_${flavour} INTERFACE mpi_headers_${flavour} ${link})
  list(APPEND PLUMBLINE_MPI_FLAVOURS ${flavour})
endforeach()
