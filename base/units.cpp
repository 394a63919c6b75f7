#include "base/units.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"

namespace plumbline {

void time_overflow() {
  std::string where;
  if (check_context.rank >= 0) {
    where = fmt::format("rank {}", check_context.rank);
    if (check_context.operation >= 0) where += fmt::format(", operation {}", check_context.operation);
  }
  throw Error(where, "a time goes beyond 106 days, which is as far as time is counted",
              "is a rate of the platform far too small, or a latency or an amount of data far too large?");
}

}  // namespace plumbline
