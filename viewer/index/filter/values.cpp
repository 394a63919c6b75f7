#include "viewer/index/filter/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>

#include "base/quantity.hpp"
#include "viewer/index/runs/columns.hpp"

namespace plumbline::viewer {
namespace {

constexpr std::int64_t kLeastValue = std::numeric_limits<std::int64_t>::min(),
                       kMostValue = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> time_of(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::optional<Duration> time = parse_duration(text.substr(negative ? 1 : 0));
  if (!time) return std::nullopt;
  return negative ? -time->ps : time->ps;
}

std::optional<std::int64_t> bytes_of(std::string_view text) {
  const std::optional<Bytes> bytes = parse_bytes(text);
  if (!bytes) return whole_number(text);  // of bytes the unit may be left out
  return static_cast<std::int64_t>(std::min(bytes->count, static_cast<std::uint64_t>(kMostValue)));
}

// "MPI-IO", "mpiio" and "point to point", "point-to-point" are the same.
std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

std::optional<std::int64_t> kind_named(std::string_view text) {
  for (std::size_t kind = 0; kind < kCallKinds; ++kind)
    if (letters_of(text) == letters_of(kKindNames[kind])) return static_cast<std::int64_t>(kind);
  return std::nullopt;
}

std::string hint_for(FieldType type) {
  switch (type) {
    case FieldType::kKindName: {
      std::string names;
      for (std::size_t kind = 0; kind < kCallKinds; ++kind)
        names += fmt::format("{}\"{}\"", kind == 0 ? "" : ", ", kKindNames[kind]);
      return "kinds are " + names;
    }
    case FieldType::kBytes:
      return "write it with a unit: 4096B, 64KiB, 1MiB";
    case FieldType::kTime:
      return "write it with a unit: 20us, 1.5ms, 2s";
    default:
      return "write a whole number";
  }
}

std::vector<ValueRange> joined(std::vector<ValueRange> ranges) {
  std::ranges::sort(ranges, {}, &ValueRange::least);
  std::vector<ValueRange> result;
  for (const ValueRange& range : ranges) {
    if (!result.empty() && (result.back().most == kMostValue || range.least <= result.back().most + 1))
      result.back().most = std::max(result.back().most, range.most);
    else
      result.push_back(range);
  }
  return result;
}

}  // namespace

std::int64_t value_of(const FieldInfo& field, const Token& token) {
  std::optional<std::int64_t> value;
  if (field.type == FieldType::kTime) value = time_of(token.text);
  if (field.type == FieldType::kBytes) value = bytes_of(token.text);
  if (field.type == FieldType::kNumber) value = whole_number(token.text);
  if (field.type == FieldType::kKindName) value = kind_named(token.text);
  if (!value) fail_at(token.position, fmt::format("'{}' is no {}", token.text, field.name), hint_for(field.type));
  return *value;
}

std::vector<ValueRange> ranges_of(std::string_view compare, std::int64_t value) {
  std::vector<ValueRange> ranges;
  const bool below = compare.starts_with('<') || compare == "!=", above = compare.starts_with('>') || compare == "!=";
  if (below && value > kLeastValue) ranges.push_back({kLeastValue, value - 1});
  if (compare.ends_with('=') && compare != "!=") ranges.push_back({value, value});
  if (above && value < kMostValue) ranges.push_back({value + 1, kMostValue});
  return joined(std::move(ranges));
}

std::vector<ValueRange> list_of(const FieldInfo& field, const Token& token) {
  std::vector<ValueRange> ranges;
  for (std::size_t begin = 0; begin <= token.text.size();) {
    const std::size_t end = std::min(token.text.find(',', begin), token.text.size());
    const std::string_view item = std::string_view(token.text).substr(begin, end - begin);
    const std::size_t dash = item.find('-', 1);
    const auto part = [&](std::size_t from, std::size_t behind) {
      const std::string text(item.substr(from, behind - from));
      return value_of(field, {TokenKind::kWord, text, token.position + begin + from});
    };
    if (item.empty() || dash == std::string_view::npos)
      ranges.push_back({part(0, item.size()), part(0, item.size())});
    else
      ranges.push_back({part(0, dash), part(dash + 1, item.size())});
    if (ranges.back().most < ranges.back().least)
      fail_at(token.position + begin, fmt::format("the range '{}' is empty", item), "write the smaller number first");
    begin = end + 1;
  }
  return joined(std::move(ranges));
}

}  // namespace plumbline::viewer
