plumbline_test(launch_test SOURCES launch_test.cpp USES plumbline_record)
plumbline_test(symbols_test SOURCES symbols_test.cpp USES plumbline_record)
plumbline_test(gather_test SOURCES gather_test.cpp USES plumbline_record)
plumbline_test(node_sampler_test SOURCES node_sampler_test.cpp proc_counters_test.cpp USES plumbline_record)
