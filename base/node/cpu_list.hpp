#pragma once
// Lists of processors as the kernel and schedulers write them: "0-3,8".

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::node {

// Ascending, each once. Empty where the text is no such list, or names a processor that no machine has (above 65535).
std::vector<std::uint32_t> processors_of(std::string_view list);

// `processors` ascending.
std::string processor_list(const std::vector<std::uint32_t>& processors);

}  // namespace plumbline::node
