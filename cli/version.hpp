#pragma once

#include <string>

namespace plumbline::cli {

std::string version_number();  // "0.1.0"
std::string version_text();    // with the versions of the libraries that files are written with

}  // namespace plumbline::cli
