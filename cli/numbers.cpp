#include "cli/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

namespace plumbline::cli {

CLI::Validator whole_number() {
  const auto fault = [](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop == end) return {};
    return fmt::format("'{}' is not a whole number from 0 to 18446744073709551615", text);
  };
  return {fault, ""};
}

}  // namespace plumbline::cli
