#pragma once
// Lists of CPUs as Linux writes them: "0-1,4".

#include <cstdint>
#include <string_view>
#include <vector>

namespace plumbline::hw::calibration {

// Ascending within each part; empty where the text is no such list.
std::vector<std::uint32_t> parse_cpu_list(std::string_view text);

}  // namespace plumbline::hw::calibration
