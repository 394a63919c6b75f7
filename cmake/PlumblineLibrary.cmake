# plumbline_library(NAME HEADERS .. SOURCES .. DEPENDS other rooms .. USES external targets ..)
# makes the static library plumbline_NAME. HEADERS are checked to compile alone (target all_verify_interface_header_sets).
function(plumbline_library name)
  cmake_parse_arguments(ARG "" "" "HEADERS;SOURCES;DEPENDS;USES" ${ARGN})
  add_library(plumbline_${name} STATIC ${ARG_SOURCES})
  target_sources(plumbline_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ARG_HEADERS})
  target_link_libraries(plumbline_${name} PRIVATE $<BUILD_INTERFACE:plumbline_flags>)
  foreach(dependency IN LISTS ARG_DEPENDS)
    target_link_libraries(plumbline_${name} PUBLIC plumbline_${dependency})
  endforeach()
  target_link_libraries(plumbline_${name} PUBLIC ${ARG_USES})
  plumbline_join_sources(plumbline_${name})
  plumbline_precompile_headers(plumbline_${name})
  plumbline_optimise_sanitized(plumbline_${name})
endfunction()

# Instrumented code without optimisation takes as long to compile as with -Og, and several times as long to run; with -O1
# it takes a third longer to compile.
function(plumbline_optimise_sanitized target)
  if(PLUMBLINE_SANITIZED)
    # Between its instructions GCC takes members of an empty std::optional for values that are used.
    target_compile_options(${target} PRIVATE -Og $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
endfunction()

# In batches (PLUMBLINE_BATCH sources at a time) headers are read and templates are instantiated once per batch. This is
# for builds that are made from nothing: a newcomer's first one, and those of CI. The release build compiles each source of
# the programs alone, and so finds an include that is missing; of tests (PLUMBLINE_TEST_BATCH), which are most of what it
# compiles, it joins the sources.
function(plumbline_join_sources target)
  set(batch ${PLUMBLINE_BATCH})
  if("TEST" IN_LIST ARGN AND NOT batch)
    set(batch ${PLUMBLINE_TEST_BATCH})
  endif()
  if(batch)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
    # GCC takes a file that it includes for a header, in which an unnamed namespace would be a fault.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  endif()
endfunction()

# plumbline_one_unit(TARGET GROUP source ..): compiles these sources of TARGET as one unit in every build, because they
# call each other so often that they must be inlined. The other sources are compiled alone, or in batches.
function(plumbline_one_unit target group)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
  if(NOT PLUMBLINE_BATCH)
    return()
  endif()
  get_target_property(others ${target} SOURCES)
  list(REMOVE_ITEM others ${ARGN})
  list(FILTER others INCLUDE REGEX "[.]cpp$")
  set(count 0)
  foreach(source IN LISTS others)
    math(EXPR batch "${count} / ${PLUMBLINE_BATCH}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP batch_${batch})
    math(EXPR count "${count} + 1")
  endforeach()
endfunction()

# Headers of the standard library and of fmt are read once for all rooms: plumbline_base makes them, the others use its.
# A target that is compiled with other options, such as a program or what runs inside an MPI, makes its own (OWN).
function(plumbline_precompile_headers target)
  if(NOT PLUMBLINE_PRECOMPILE)
    return()
  endif()
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # lets ccache keep what uses them
  if(target STREQUAL "plumbline_base" OR "OWN" IN_LIST ARGN)
    target_precompile_headers(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp>)
  else()
    target_precompile_headers(${target} REUSE_FROM plumbline_base)
  endif()
endfunction()

# plumbline_test(NAME SOURCES .. USES our libraries or external targets .. [LABELS ..] [SERIAL]): a GoogleTest program, each
# TEST a ctest case. SERIAL: what compares times of ranks that need all cores has the machine for itself.
# What is labelled mpi runs foreign programs with a preloaded library, which a sanitizer's run time does not allow; what is
# labelled memory bounds what a process takes, which a sanitizer changes: both are left out of a sanitizer build. The
# others are unit tests.
function(plumbline_test name)
  cmake_parse_arguments(ARG "SERIAL" "" "SOURCES;USES;LABELS" ${ARGN})
  set(unit_test ON)
  if("mpi" IN_LIST ARG_LABELS OR "memory" IN_LIST ARG_LABELS)
    set(unit_test OFF)
  endif()
  if(PLUMBLINE_SANITIZED AND NOT unit_test)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  plumbline_join_sources(${name} TEST)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -O0)  # halves their compile time; what they test is optimised
  target_link_libraries(${name} PRIVATE plumbline_flags ${ARG_USES} GTest::gmock GTest::gtest_main)
  if(unit_test AND NOT PLUMBLINE_UNIT_TESTS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  # Under a sanitizer a process takes a tenth of a second to begin, and there are thousands of tests. All tests of a program
  # are one here (labelled whole), and each is one of its own (labelled each): ./dev test runs the former, or of the latter
  # what it was asked for.
  set(properties)  # an empty value would take the next name for its own
  if(PLUMBLINE_SANITIZED)
    add_test(NAME whole.${name} COMMAND ${name})
    set_tests_properties(whole.${name} PROPERTIES LABELS whole TIMEOUT 900)
    list(APPEND properties LABELS each)
  elseif(ARG_LABELS)
    list(APPEND properties LABELS "${ARG_LABELS}")
  endif()
  if(ARG_SERIAL)
    list(APPEND properties RUN_SERIAL TRUE)
  endif()
  if(properties)
    list(PREPEND properties PROPERTIES)
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 ${properties})
endfunction()
