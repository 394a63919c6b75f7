#pragma once
// What the archive says of how a process was placed and set up, worked out from its spool.

#include <map>
#include <string>
#include <string_view>

#include "tracer/record/definitions/facts.hpp"
#include "tracer/spool/format/format.h"

namespace plumbline::record {

// Processors of an affinity mask as the kernel lists them: "0-3,8".
std::string processor_list(const pl_file_header& header);

// Those memory nodes that the processors belong to, by "0:0-15 1:16-31": "1". Empty when it is not known.
std::string memory_nodes(const pl_file_header& header, std::string_view numa);

// Components of Open MPI that had stayed loaded when MPI_Init returned, by framework ("pml" → "ob1"): those in use,
// because it unloads the others. Empty where they are built into the library.
std::map<std::string, std::string> loaded_components(const ProcessFacts& facts);

}  // namespace plumbline::record
