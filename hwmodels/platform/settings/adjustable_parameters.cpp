#include "hwmodels/platform/settings/adjustable_parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity.hpp"

namespace plumbline::hw {
namespace {

constexpr const char* kRate = "a rate such as 100Mbit/s";
constexpr const char* kDuration = "a duration such as 50us";
constexpr const char* kBytes = "an amount of data such as 64KiB";

// "100Mbit" is understood too: there is no rate without "/s". No rate is zero.
std::optional<BytesPerSecond> rate_of(std::string_view text) {
  const std::optional<BytesPerSecond> rate = parse_rate(text.ends_with("/s") ? text : std::string(text) + "/s");
  return rate && rate->count > 0 ? rate : std::nullopt;
}

}  // namespace

void AdjustableParameters::rate(std::string name, Parameter<BytesPerSecond>& parameter) {
  add(std::move(name), kRate, [&parameter](std::string_view text) { return assign(parameter, rate_of(text)); });
}

void AdjustableParameters::rate(std::string name, std::optional<Parameter<BytesPerSecond>>& parameter) {
  add(std::move(name), kRate, [&parameter](std::string_view text) {
    const std::optional<BytesPerSecond> value = rate_of(text);
    return value && assign(parameter.emplace(), value);
  });
}

void AdjustableParameters::duration(std::string name, Parameter<Duration>& parameter) {
  add(std::move(name), kDuration,
      [&parameter](std::string_view text) { return assign(parameter, parse_duration(text)); });
}

void AdjustableParameters::duration(std::string name, std::optional<Parameter<Duration>>& parameter) {
  add(std::move(name), kDuration, [&parameter](std::string_view text) {
    const std::optional<Duration> value = parse_duration(text);
    return value && assign(parameter.emplace(), value);
  });
}

void AdjustableParameters::bytes(std::string name, Bytes& amount, Bytes least) {
  add(std::move(name), kBytes, [&amount, least](std::string_view text) {
    const std::optional<Bytes> value = parse_bytes(text);
    if (!value || *value < least) return false;
    amount = *value;
    return true;
  });
}

void AdjustableParameters::bytes(std::string name, std::optional<Bytes>& amount) {
  add(std::move(name), kBytes, [&amount](std::string_view text) {
    const std::optional<Bytes> value = parse_bytes(text);
    if (value) amount = value;
    return value.has_value();
  });
}

void AdjustableParameters::bytes(std::string name, Parameter<Bytes>& parameter) {
  add(std::move(name), kBytes, [&parameter](std::string_view text) { return assign(parameter, parse_bytes(text)); });
}

void AdjustableParameters::count_or_all(std::string name, std::uint32_t& count) {
  add(std::move(name), "a number, at least 1, or all", [&count](std::string_view text) {
    if (text == "all") {
      count = 0;
      return true;
    }
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0) return false;
    count = value;
    return true;
  });
}

std::string AdjustableParameters::one_of(std::span<const std::string> words) {
  return fmt::format("{} or {}", fmt::join(words.first(words.size() - 1), ", "), words.back());
}

}  // namespace plumbline::hw
