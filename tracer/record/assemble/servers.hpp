#pragma once
// Processes that were recorded without MPI, from program start on: file servers, or any other program.

#include <string>
#include <vector>

#include "tracer/record/assemble/recording.hpp"
#include "tracer/record/assemble/summary.hpp"
#include "tracer/record/definitions/process.hpp"

namespace plumbline::record {

// "glusterfsd (pid 123)".
std::string server_name(const pl_file_header& header);

// By node and time of their start.
void order_servers(std::vector<Recording>& servers);

// Whether the process went on as another program (exec), which has a recording of its own.
bool became_another(const Recording& server, const std::vector<Recording>& recordings);

// What is missing or odd. That a server was ended by a signal is neither.
void remark_server(const spool::Spool& spool, const Tally& tally, AssembleSummary& summary);

}  // namespace plumbline::record
