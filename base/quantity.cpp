#include "base/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <system_error>

namespace plumbline {
namespace {

__extension__ using Wide = unsigned __int128;

struct Unit {
  std::string_view name;
  std::uint64_t factor;       // in base units (ps, B)
  std::uint64_t divisor = 1;  // 8 for bits
};

constexpr std::uint64_t kKi = 1ULL << 10, kMi = 1ULL << 20, kGi = 1ULL << 30, kTi = 1ULL << 40;
constexpr std::uint64_t kK = 1'000, kM = 1'000'000, kG = 1'000'000'000, kT = 1'000'000'000'000;

constexpr std::array kTimeUnits{Unit{"s", kT},        Unit{"ms", kG},        Unit{"us", kM},
                                Unit{"ns", kK},       Unit{"ps", 1},         Unit{"µs", kM},
                                Unit{"min", 60 * kT}, Unit{"h", 3'600 * kT}, Unit{"d", 86'400 * kT}};
constexpr std::size_t kFormattedTimeUnits = 5;  // the first ones, from the largest

constexpr std::array kByteUnits{Unit{"TB", kT},   Unit{"GB", kG},   Unit{"MB", kM},   Unit{"kB", kK},  Unit{"B", 1},
                                Unit{"TiB", kTi}, Unit{"GiB", kGi}, Unit{"MiB", kMi}, Unit{"KiB", kKi}};
constexpr std::size_t kDecimalByteUnits = 5;  // the first ones, from the largest

constexpr std::array kBitUnits{Unit{"Tbit", kT, 8}, Unit{"Gbit", kG, 8}, Unit{"Mbit", kM, 8}, Unit{"kbit", kK, 8},
                               Unit{"bit", 1, 8}};

// A decimal number as digits / 10^decimals, and what follows it.
struct Number {
  Wide digits = 0;
  Wide scale = 1;
  std::string_view rest;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// At most 20 significant digits: times the largest factor (86,400 * 10^12) they stay below 2^128.
std::optional<Number> parse_number(std::string_view text) {
  Number number;
  bool point = false, any = false;
  std::size_t i = 0;
  for (; i < text.size() && (is_digit(text[i]) || (text[i] == '.' && !point)); ++i) {
    if (text[i] == '.') {
      point = true;
      continue;
    }
    any = true;
    number.digits = number.digits * 10 + static_cast<unsigned>(text[i] - '0');
    if (point) number.scale *= 10;
    if (number.digits > std::numeric_limits<std::uint64_t>::max() || number.scale > static_cast<Wide>(kT) * kM)
      return std::nullopt;
  }
  if (!any || text[i - 1] == '.') return std::nullopt;
  while (i < text.size() && text[i] == ' ') ++i;
  number.rest = text.substr(i);
  return number;
}

// Number times unit, to the nearest whole base unit, at most `limit`.
std::optional<std::uint64_t> scaled(const Number& number, const Unit& unit, std::uint64_t limit) {
  const Wide divisor = number.scale * unit.divisor;
  const Wide value = (number.digits * unit.factor + divisor / 2) / divisor;
  if (value > limit) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

std::optional<std::uint64_t> parse_quantity(std::string_view text, std::span<const Unit> units, std::uint64_t limit) {
  const std::optional<Number> number = parse_number(text);
  if (!number) return std::nullopt;
  if (number->rest.empty() && number->digits == 0) return 0;
  for (const Unit& unit : units)
    if (number->rest == unit.name) return scaled(*number, unit, limit);
  return std::nullopt;
}

// Four significant digits without trailing zeros; 1000 and above whole.
std::string short_number(double value) {
  const int decimals = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

// In the largest of `units` (descending, the last with factor 1) that leaves at least 1 before the point.
std::string short_quantity(Wide value, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (value < unit.factor && unit.factor != 1) continue;
    return fmt::format("{} {}", short_number(static_cast<double>(value) / static_cast<double>(unit.factor)), unit.name);
  }
  return fmt::format("0 {}", units.back().name);
}

// The shortest whole number of a unit that is exact; the first of equally short ones.
std::string shortest_whole(std::uint64_t value) {
  std::string best;
  for (const Unit& unit : kByteUnits) {
    if (value % unit.factor != 0) continue;
    std::string text = fmt::format("{}{}", value / unit.factor, unit.name);
    if (value / unit.factor != 0 && (best.empty() || text.size() < best.size())) best = std::move(text);
  }
  return best.empty() ? "0B" : best;
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  constexpr std::uint64_t kLimit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::optional<std::uint64_t> ps = parse_quantity(text, kTimeUnits, kLimit);
  if (!ps) return std::nullopt;
  return Duration{static_cast<std::int64_t>(*ps)};
}

std::optional<Bytes> parse_bytes(std::string_view text) {
  const std::optional<std::uint64_t> count =
      parse_quantity(text, kByteUnits, std::numeric_limits<std::uint64_t>::max());
  if (!count) return std::nullopt;
  return Bytes{*count};
}

std::optional<BytesPerSecond> parse_rate(std::string_view text) {
  constexpr std::uint64_t kLimit = std::numeric_limits<std::uint64_t>::max();
  if (!text.ends_with("/s")) return text == "0" ? std::optional(BytesPerSecond{0}) : std::nullopt;
  const std::string_view amount = text.substr(0, text.size() - 2);
  if (amount.empty() || is_digit(amount.back()) || amount.back() == ' ') return std::nullopt;
  std::optional<std::uint64_t> count = parse_quantity(amount, kByteUnits, kLimit);
  if (!count) count = parse_quantity(amount, kBitUnits, kLimit);
  if (!count) return std::nullopt;
  return BytesPerSecond{*count};
}

// The decimal point is moved in the text, so that the value is the double nearest to what was written.
std::optional<double> parse_fraction(std::string_view text) {
  if (text == "0") return 0.0;
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  bool point = false;
  for (const char c : text) {
    if (!is_digit(c) && (c != '.' || point)) return std::nullopt;
    point = point || c == '.';
  }
  if (text.empty() || !is_digit(text.front()) || !is_digit(text.back())) return std::nullopt;
  const std::string shifted = std::string(text) + "e-2";
  double value = 0;
  const auto [end, error] = std::from_chars(shifted.data(), shifted.data() + shifted.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string format(Duration duration) { return format(TimeSum(duration)); }

std::string format(TimeSum sum) {
  const Wide magnitude = static_cast<Wide>(sum.ps < 0 ? -sum.ps : sum.ps);
  const std::string text = short_quantity(magnitude, std::span(kTimeUnits).first<kFormattedTimeUnits>());
  return sum.ps < 0 ? "-" + text : sum.ps == 0 ? "0 s" : text;
}

std::string format(Bytes bytes) {
  for (std::size_t i = kDecimalByteUnits; i < kByteUnits.size(); ++i) {
    const Unit& unit = kByteUnits[i];
    if (bytes.count >= unit.factor && bytes.count % unit.factor == 0 && bytes.count / unit.factor < 10 * kK)
      return fmt::format("{} {}", bytes.count / unit.factor, unit.name);
  }
  return short_quantity(bytes.count, std::span(kByteUnits).first<kDecimalByteUnits>());
}

std::string format(BytesPerSecond rate) {
  return short_quantity(rate.count, std::span(kByteUnits).first<kDecimalByteUnits>()) + "/s";
}

std::string format_percent(double fraction) {
  const double percent = fraction * 100;
  return fmt::format("{:.{}f} %", percent, std::abs(percent) >= 99.95 ? 0 : 1);
}

std::string format_exact(Duration duration) {
  const std::uint64_t ps = magnitude(duration.ps);
  if (ps == 0) return "0s";
  for (const Unit& unit : std::span(kTimeUnits).first<kFormattedTimeUnits>()) {
    if (ps < unit.factor) continue;
    std::string text = fmt::format("{}{}", duration.ps < 0 ? "-" : "", ps / unit.factor);
    std::uint64_t rest = ps % unit.factor;
    if (rest != 0) text += '.';
    for (std::uint64_t place = unit.factor / 10; rest != 0; place /= 10) {
      text += static_cast<char>('0' + rest / place);
      rest %= place;
    }
    return text + std::string(unit.name);
  }
  return "0s";
}

std::string format_exact(Bytes bytes) { return shortest_whole(bytes.count); }
std::string format_exact(BytesPerSecond rate) { return shortest_whole(rate.count) + "/s"; }

std::string format_exact_fraction(double fraction) {
  if (fraction == 0) return "0%";
  // Shortest digits that give the double back, then the point two places to the right.
  std::array<char, 64> shortest{};
  const auto end =
      std::to_chars(shortest.data(), shortest.data() + shortest.size(), fraction, std::chars_format::scientific);
  const std::string_view scientific(shortest.data(), static_cast<std::size_t>(end.ptr - shortest.data()));
  const std::size_t e = scientific.find('e');
  std::string digits(scientific.substr(0, e));
  std::erase(digits, '.');
  int exponent = 0;
  const std::string_view power = scientific.substr(e + (scientific[e + 1] == '+' ? 2 : 1));
  std::from_chars(power.data(), power.data() + power.size(), exponent);
  const int before_point = exponent + 3;
  if (before_point <= 0) return "0." + std::string(static_cast<std::size_t>(-before_point), '0') + digits + "%";
  const std::size_t split = static_cast<std::size_t>(before_point);
  if (digits.size() <= split) return digits + std::string(split - digits.size(), '0') + "%";
  return digits.substr(0, split) + "." + digits.substr(split) + "%";
}

}  // namespace plumbline
