#pragma once
// What ended one of several processes, as bytes for the others.

#include <string>
#include <string_view>

namespace plumbline {

// Of the exception that is being handled.
std::string failure_now();

// Throws it again: an Error as it was, one of a file or of memory as an Error, anything else as an InternalFault.
[[noreturn]] void throw_failure(std::string_view failure);

}  // namespace plumbline
