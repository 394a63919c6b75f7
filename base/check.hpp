#pragma once
// PLUMBLINE_CHECK(condition, message): a promise of our own code, checked in every build. When it is broken the
// process prints where, the message and the context (clock, rank, operation) that the simulation keeps current, and
// aborts. Never for input: that is base/error.hpp.

#include <cstdint>
#include <string_view>

namespace plumbline {

// What the run loop is working on, for the message of a failed check. One per thread.
struct CheckContext {
  std::int64_t clock_ps = -1;
  std::int64_t rank = -1;
  std::int64_t operation = -1;
};
inline thread_local CheckContext check_context;

[[noreturn]] void check_failed(const char* file, int line, const char* condition, std::string_view message);

}  // namespace plumbline

#define PLUMBLINE_CHECK(condition, message)                               \
  do {                                                                    \
    if (!(condition)) [[unlikely]]                                        \
      ::plumbline::check_failed(__FILE__, __LINE__, #condition, message); \
  } while (false)
