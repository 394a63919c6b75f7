#include "bench/campaign/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/quantity.hpp"

namespace plumbline::bench {
namespace {

constexpr char kForms[] = R"(write "1KiB", "1..1MiB*2" or "0..64KiB+1KiB", several with commas)";

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<std::uint64_t> plain_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

void add(std::uint64_t size, std::vector<std::uint64_t>& to, std::string_view text) {
  if (to.size() == kMostSizes)
    throw Error("", fmt::format("'{}' is more than {} sizes", text, kMostSizes), "take larger steps");
  to.push_back(size);
}

void add_powers(std::uint64_t from, std::uint64_t upto, std::string_view factor_text, std::vector<std::uint64_t>& to,
                std::string_view text) {
  const std::optional<std::uint64_t> factor = plain_number(factor_text);
  if (!factor || *factor < 2)
    throw Error("", fmt::format("'{}': the factor of powers is a whole number from 2 on", text), kForms);
  if (from == 0) add(0, to, text);
  for (std::uint64_t size = std::max<std::uint64_t>(from, 1); size <= upto; size *= *factor) {
    add(size, to, text);
    if (size > upto / *factor) break;
  }
}

void add_stride(std::uint64_t from, std::uint64_t upto, std::string_view step_text, std::vector<std::uint64_t>& to,
                std::string_view text) {
  const std::uint64_t step = parse_size(step_text);
  if (step == 0) throw Error("", fmt::format("'{}': a stride of 0 goes nowhere", text), kForms);
  for (std::uint64_t size = from; size <= upto; size += step) add(size, to, text);  // no wrap: both are below 2^31
}

void add_range(std::string_view text, std::size_t dots, std::vector<std::uint64_t>& to) {
  const std::size_t sign = text.find_first_of("*+", dots);
  if (sign == std::string_view::npos)
    throw Error("", fmt::format("'{}' does not say how to go from one to the other", text), kForms);
  const std::uint64_t from = parse_size(text.substr(0, dots));
  const std::uint64_t upto = parse_size(text.substr(dots + 2, sign - dots - 2));
  if (from > upto) throw Error("", fmt::format("'{}' ends before it begins", text), kForms);
  const std::string_view step = trimmed(text.substr(sign + 1));
  text[sign] == '*' ? add_powers(from, upto, step, to, text) : add_stride(from, upto, step, to, text);
}

}  // namespace

std::uint64_t parse_size(std::string_view text) {
  text = trimmed(text);
  std::optional<std::uint64_t> size = plain_number(text);
  if (!size)
    if (const std::optional<Bytes> bytes = parse_bytes(text)) size = bytes->count;
  if (size && *size <= kLargestSize) return *size;
  if (size || is_all_digits(text))
    throw Error("", fmt::format("'{}' is too large: counts of MPI end at {} B", text, kLargestSize), "take less");
  throw Error("", fmt::format("'{}' is no size", text), kForms);
}

std::vector<std::uint64_t> parse_sizes(std::string_view text) {
  std::vector<std::uint64_t> sizes;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view part = trimmed(text.substr(0, comma));
    if (const std::size_t dots = part.find(".."); dots != std::string_view::npos)
      add_range(part, dots, sizes);
    else
      add(parse_size(part), sizes, part);
    if (comma == std::string_view::npos) return sizes;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::uint64_t> perturbed(const std::vector<std::uint64_t>& sizes, std::uint64_t by) {
  if (by == 0) return sizes;
  std::vector<std::uint64_t> result;
  const auto add_new = [&](std::uint64_t size) {
    if (std::ranges::find(result, size) == result.end()) result.push_back(size);
  };
  for (const std::uint64_t size : sizes) {
    if (size >= by) add_new(size - by);
    add_new(size);
    if (size <= kLargestSize - by) add_new(size + by);
  }
  return result;
}

}  // namespace plumbline::bench
