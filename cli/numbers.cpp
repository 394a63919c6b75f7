#include "cli/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>

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

CLI::Validator number_between(double least, double most) {
  const auto fault = [least, most](const std::string& text) -> std::string {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (!text.empty() && *end == '\0' && value >= least && value <= most) return {};
    return fmt::format("'{}' is not a number from {} to {}", text, least, most);
  };
  return {fault, ""};
}

}  // namespace plumbline::cli
