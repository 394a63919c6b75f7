#pragma once
// From a command line to an archive: starts the ranks under the tracer in the way that the launcher and the nodes ask
// for, and assembles what they leave.

#include <chrono>
#include <filesystem>
#include <string>

#include "tracer/record/launch/child.hpp"
#include "tracer/record/launch/settings.hpp"

namespace plumbline::cli {

struct RecordOptions {
  std::filesystem::path output, spool, gather;
  Command command;
  record::Settings settings;
  std::string sample_interval = "100ms";
  std::chrono::milliseconds grace{5000};
  bool force = false, rank = false, server = false, keep_spool = false, stay = false, anonymize = false;
  bool without_blanks = false;  // words of a keeper are coded (record/gather.hpp)
};

// `plumbline record -- COMMAND`. Returns the program's status.
int record_run(const RecordOptions& options);

// `plumbline record --rank -- PROGRAM`, between a launcher and a program: ends as the program ends.
[[noreturn]] void record_rank(const RecordOptions& options);

}  // namespace plumbline::cli
