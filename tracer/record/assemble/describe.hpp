#pragma once
// What an archive says of a process as a whole: properties of its location group, and remarks.

#include <cstdint>
#include <vector>

#include "tracer/archive/model.hpp"
#include "tracer/record/assemble/recording.hpp"
#include "tracer/record/assemble/summary.hpp"
#include "tracer/record/definitions/process.hpp"

namespace plumbline::record {

// Processors that the ranks of one node may run on, all together: a launcher may bind each rank to one of them.
std::uint32_t cores_of_node(const std::vector<Recording>& recordings, const pl_file_header& header);

// Fills the properties of names.hpp.
void describe_process(archive::LocationGroup& group, const pl_file_header& header, const ProcessFacts& facts,
                      const LinearClock& clock, std::uint32_t cores);

// How and when it ended. `zero_realtime_ns`: of time 0, 0 when unknown.
void describe_end(archive::LocationGroup& group, const Recording& recording, std::uint64_t zero_realtime_ns);

// What is special about the program that rank 0, or the first that was recorded, ran.
void remark_program(const ProcessFacts& facts, AssembleSummary& summary);

// What is missing or odd in the recording of one rank.
void remark_process(const Recording& recording, const Tally& tally, AssembleSummary& summary);

}  // namespace plumbline::record
