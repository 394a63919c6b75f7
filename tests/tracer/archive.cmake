set(here ${CMAKE_CURRENT_LIST_DIR})
plumbline_test(tracer_archive_test
  SOURCES ${here}/layout_test.cpp ${here}/archive_support.cpp ${here}/archive_test.cpp ${here}/archive_damage_test.cpp
    ${here}/trace_id_test.cpp
  USES plumbline_archive
  LABELS tracer)
target_compile_definitions(tracer_archive_test PRIVATE PLUMBLINE_GOLDEN="${PROJECT_SOURCE_DIR}/tests/golden")

plumbline_test(archive_fuzz
  SOURCES ${here}/../fuzz/archive_fuzz.cpp ${here}/archive_support.cpp
  USES plumbline_archive
  LABELS tracer fuzz)

plumbline_test(tracer_memory_test
  SOURCES ${here}/assemble_memory_test.cpp ${here}/cleared_memory_test.cpp
  USES plumbline_record
  LABELS memory)

plumbline_test(tracer_record_test
  SOURCES ${here}/archive_support.cpp ${here}/assemble_failures_test.cpp ${here}/assemble_files_test.cpp ${here}/assemble_fixture.cpp
    ${here}/assemble_inside_test.cpp ${here}/assemble_limits_test.cpp
    ${here}/assemble_messages_test.cpp ${here}/assemble_nodes_test.cpp ${here}/assemble_processes_test.cpp
    ${here}/assemble_test.cpp ${here}/definition_journal_test.cpp
    ${here}/clock_exchange_test.cpp
    ${here}/clock_test.cpp ${here}/ratio_test.cpp ${here}/common_time_test.cpp ${here}/datatypes_test.cpp ${here}/decoders_test.cpp ${here}/thread_parts_test.cpp
    ${here}/message_bounds_test.cpp ${here}/mounts_test.cpp ${here}/node_facts_test.cpp ${here}/node_metrics_test.cpp ${here}/rma_epochs_test.cpp ${here}/run_facts_test.cpp
  USES plumbline_record
  LABELS tracer)

plumbline_test(assemble_fuzz
  SOURCES ${here}/../fuzz/assemble_fuzz.cpp
  USES plumbline_record
  LABELS tracer fuzz)

# The part of the preload library that copies files of a node, without the rest of it.
add_library(tracer_node_copy OBJECT
  ${PROJECT_SOURCE_DIR}/tracer/preload/node/copy.c ${PROJECT_SOURCE_DIR}/tracer/preload/node/groups.c
  ${PROJECT_SOURCE_DIR}/tracer/preload/core/system.c)
set_target_properties(tracer_node_copy PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
target_include_directories(tracer_node_copy PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(tracer_node_copy PRIVATE _GNU_SOURCE)
plumbline_test(tracer_node_test
  SOURCES ${here}/node_copy_test.cpp ${here}/node_readings_test.cpp
  USES plumbline_spool plumbline_node tracer_node_copy
  LABELS tracer)
