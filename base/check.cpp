#include "base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace plumbline {

void check_failed(const char* file, int line, const char* condition, std::string_view message) {
  std::fprintf(stderr, "plumbline: internal fault at %s:%d: %.*s (%s)", file, line, static_cast<int>(message.size()),
               message.data(), condition);
  const CheckContext& context = check_context;
  if (context.clock_ps >= 0) std::fprintf(stderr, "; clock %lld ps", static_cast<long long>(context.clock_ps));
  if (context.rank >= 0) std::fprintf(stderr, "; rank %lld", static_cast<long long>(context.rank));
  if (context.operation >= 0) std::fprintf(stderr, "; operation %lld", static_cast<long long>(context.operation));
  std::fputs("\nThis is a fault of Plumbline, not of your input. Please report it with the command line.\n", stderr);
  std::abort();
}

}  // namespace plumbline
