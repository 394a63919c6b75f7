#pragma once
// Tells builds of this program apart.

#include <string>

namespace plumbline {

// What the linker has put into the program to name its content (GNU build id), as bytes; "" where it has not.
std::string build_id();

}  // namespace plumbline
