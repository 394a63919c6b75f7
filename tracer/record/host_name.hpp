#pragma once

#include <string>

namespace plumbline::record {

// Of this node.
std::string host_name();

}  // namespace plumbline::record
