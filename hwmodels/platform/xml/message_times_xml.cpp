#include "hwmodels/platform/xml/message_times_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

#include "base/quantity.hpp"
#include "hwmodels/platform/xml/xml_line.hpp"

namespace plumbline::hw {
namespace {

constexpr const char* kExampleOfTimes = "write for example quantiles=\"0%:50us 50%:52us 99%:60us 100%:3ms\"";

// "99%:60us".
std::optional<Quantile> parse_quantile(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return std::nullopt;
  const std::optional<double> share = parse_fraction(text.substr(0, colon));
  const std::optional<Duration> value = parse_duration(text.substr(colon + 1));
  if (!share || !value) return std::nullopt;
  return Quantile{*share, *value};
}

// Nothing when one cannot be read, which is noted.
std::vector<Quantile> parse_quantiles(const XmlElement& element, std::string_view text) {
  constexpr const char* kSpace = " \t\r\n";
  std::vector<Quantile> quantiles;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == text.npos) return quantiles;
    const std::size_t end = std::min(text.find_first_of(kSpace, begin), text.size());
    const std::string_view one = text.substr(begin, end - begin);
    const std::optional<Quantile> quantile = parse_quantile(one);
    if (!quantile) {
      element.fault(fmt::format("has a quantile '{}', which is not a share and a time", one), kExampleOfTimes);
      return {};
    }
    quantiles.push_back(*quantile);
    text.remove_prefix(end);
  }
}

bool check_quantiles(const XmlElement& element, std::span<const Quantile> quantiles) {
  const auto fault = [&](std::string what, const char* hint) {
    element.fault(std::move(what), hint);
    return false;
  };
  if (quantiles.front().share != 0 || quantiles.back().share != 1)
    return fault("has quantiles that are not from 0% to 100%", "begin with the least time, end with the greatest");
  if (quantiles.front().value == Duration{})
    return fault("has a least time of zero", "no message takes no time: give what was measured");
  for (std::size_t i = 1; i < quantiles.size(); ++i) {
    const Quantile &low = quantiles[i - 1], &high = quantiles[i];
    if (high.share <= low.share)
      return fault(fmt::format("has {} behind {}", format_exact_fraction(high.share), format_exact_fraction(low.share)),
                   "order the quantiles by share, each once");
    if (high.value < low.value)
      return fault(
          fmt::format("takes {} at {} and less, {}, at {}", format_exact(low.value), format_exact_fraction(low.share),
                      format_exact(high.value), format_exact_fraction(high.share)),
          "a larger share of messages takes no less time");
  }
  return true;
}

std::uint64_t read_count(XmlElement& element) {
  const std::string text = element.text("count");
  if (text.empty() && !element.has("count")) return 0;
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count == 0)
    element.fault(fmt::format("has count='{}', which is not a whole number from 1 on", text), "write count=\"1000\"");
  return count;
}

std::optional<MessageTimes> read_one(XmlElement element) {
  MessageTimes times;
  const std::optional<Bytes> size = element.bytes("size");
  if (!element.has("size")) element.fault("has no size", "add size=\"1KiB\"");
  times.size = size.value_or(Bytes{});
  times.in_flight = element.count("in-flight", 1, 1);
  times.count = read_count(element);
  times.source = element.text("source");
  const std::string text = element.required_text("quantiles");
  element.finish();
  element.children({});
  times.quantiles = parse_quantiles(element, text);
  if (times.quantiles.empty() || !check_quantiles(element, times.quantiles) || !size) return std::nullopt;
  return times;
}

}  // namespace

std::vector<MessageTimes> read_times(const XmlElement& range, std::span<const tinyxml2::XMLElement* const> elements) {
  std::vector<MessageTimes> all;
  for (const tinyxml2::XMLElement* xml : elements) {
    const char* const size = xml->Attribute("size");
    const XmlElement element = range.of(*xml, fmt::format("<times> of '{}'", size != nullptr ? size : ""));
    std::optional<MessageTimes> times = read_one(element);
    if (!times) continue;
    const auto is_same = [&](const MessageTimes& other) {
      return other.size == times->size && other.in_flight == times->in_flight;
    };
    if (std::ranges::any_of(all, is_same))
      element.fault(fmt::format("with {} in flight appears again", times->in_flight), "remove one");
    else
      all.push_back(*std::move(times));
  }
  return all;
}

void check_sizes(const MessageRange& range, std::optional<Bytes> below, const XmlElement& element) {
  for (const MessageTimes& times : range.times)
    if ((range.upto && *range.upto < times.size) || (below && times.size <= *below))
      element.fault(fmt::format("has <times> of {}, which is not in it", format_exact(times.size)),
                    "put them into the range of their size");
}

std::string write_times(const MessageTimes& times) {
  XmlLine line(3, "times");
  line.add("size", format_exact(times.size)).add("in-flight", fmt::format("{}", times.in_flight));
  if (times.count != 0) line.add("count", fmt::format("{}", times.count));
  std::string quantiles;
  for (const Quantile& quantile : times.quantiles)
    quantiles += fmt::format("{}{}:{}", quantiles.empty() ? "" : " ", format_exact_fraction(quantile.share),
                             format_exact(quantile.value));
  return line.add("quantiles", quantiles).add_unless_empty("source", times.source).closed();
}

}  // namespace plumbline::hw
