#pragma once
// Where a file of MCA parameters (openmpi-mca-params.conf) sets one of them.

#include <cstdint>
#include <string_view>

namespace plumbline::node {

// The line of the assignment that counts, from 1: the last one, as Open MPI reads the file. 0: the file sets nothing of
// this name. Comments are #, //, and between /* and */. `text`: of the whole file; `name`: "btl_tcp_eager_limit".
std::uint32_t setting_line(std::string_view text, std::string_view name);

}  // namespace plumbline::node
