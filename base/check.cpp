#include "base/check.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/checks_throw.hpp"

namespace plumbline {
namespace {

std::string text_of_fault(const char* file, int line, const char* condition, std::string_view message) {
  std::string text = fmt::format("internal fault at {}:{}: {} ({})", file, line, message, condition);
  const CheckContext& context = check_context;
  if (context.clock_ps >= 0) text += fmt::format("; clock {} ps", context.clock_ps);
  if (context.rank >= 0) text += fmt::format("; rank {}", context.rank);
  if (context.operation >= 0) text += fmt::format("; operation {}", context.operation);
  return text;
}

}  // namespace

void check_failed(const char* file, int line, const char* condition, std::string_view message) {
  const std::string text = text_of_fault(file, line, condition, message);
  if (ChecksThrow::active()) throw InternalFault(text);
  std::fprintf(
      stderr,
      "plumbline: %s\nThis is a fault of Plumbline, not of your input. Please report it with the command line.\n",
      text.c_str());
  std::abort();
}

}  // namespace plumbline
