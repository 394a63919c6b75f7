#pragma once
// Platform <-> XML. Unknown elements and attributes, missing units, negative or zero rates, unknown names, ranks on no
// node, unreachable pairs: all found in one reading and thrown together, each as FILE:LINE. Form:
// docs/reference/platform.md.

#include <filesystem>
#include <string>

#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

Platform read_platform(const std::filesystem::path& path);
Platform parse_platform(const std::string& xml, const std::string& name_for_messages);

// parse_platform(to_xml(p)) equals p.
std::string to_xml(const Platform& platform);

}  // namespace plumbline::hw
