#include "hwmodels/calibrate/observations/cpu_list.hpp"

#include <charconv>
#include <optional>

namespace plumbline::hw::calibration {
namespace {

constexpr std::uint32_t kMostCpus = 1U << 16;  // what is beyond is no list of CPUs

std::optional<std::uint32_t> cpu_number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value >= kMostCpus) return std::nullopt;
  return value;
}

}  // namespace

std::vector<std::uint32_t> parse_cpu_list(std::string_view text) {
  std::vector<std::uint32_t> cpus;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const std::size_t dash = part.find('-');
    const auto first = cpu_number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : cpu_number(part.substr(dash + 1));
    if (!first || !last) return {};
    for (std::uint32_t cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return cpus;
}

}  // namespace plumbline::hw::calibration
