#include "hwmodels/platform/xml/xml_element.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "base/text/nearest.hpp"

namespace plumbline::hw {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr const char* kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// Long enough to recognise, short enough for a line.
std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return fmt::format("'{}'", text);
  std::size_t length = kLongest;
  while ((static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U) --length;  // whole characters of UTF-8
  return fmt::format("'{}…'", text.substr(0, length));
}

std::optional<std::uint32_t> parse_count(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) { return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U; };
    const unsigned lead = byte(0);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0) return false;
    for (std::size_t k = 1; k < length; ++k)
      if ((byte(k) & 0xc0U) != 0x80U) return false;
    const unsigned second = byte(1);
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) || (lead == 0xf0 && second < 0x90) ||
        (lead == 0xf4 && second > 0x8f))
      return false;
    i += length;
  }
  return true;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  std::vector<std::string_view> main_words;  // without the companions that every parameter has
  for (const std::string& candidate : known)
    if (!candidate.ends_with("-spread") && !candidate.ends_with("-source")) main_words.push_back(candidate);
  return did_you_mean(word, known,
                      main_words.empty() ? "remove it" : fmt::format("known here: {}", fmt::join(main_words, ", ")), 1);
}

XmlElement::XmlElement(const tinyxml2::XMLElement& element, const std::string& file, Diagnostics& diagnostics,
                       std::string subject)
    : element_(element), file_(file), diagnostics_(diagnostics), subject_(std::move(subject)) {
  if (!subject_.empty()) return;
  const char* name = element.Attribute("name");
  subject_ =
      name != nullptr ? fmt::format("{} {}", element.Name(), in_quotes(name)) : fmt::format("<{}>", element.Name());
}

std::string XmlElement::where() const { return fmt::format("{}:{}", file_, element_.GetLineNum()); }

void XmlElement::fault(std::string what, std::string hint) const {
  diagnostics_.add(where(), fmt::format("{} {}", subject_, what), std::move(hint));
}

const char* XmlElement::find(const char* attribute) {
  known_.emplace_back(attribute);
  return element_.Attribute(attribute);
}

std::string XmlElement::text(const char* attribute) {
  const char* value = find(attribute);
  if (value == nullptr) return "";
  if (is_utf8(value)) return value;
  fault(fmt::format("has a {} that is not UTF-8", attribute), "a character reference in it is not a character");
  return "";
}

std::string XmlElement::required_text(const char* attribute) {
  std::string value = text(attribute);
  if (value.empty()) fault(fmt::format("has no {}", attribute), fmt::format("add {}=\"…\"", attribute));
  return value;
}

std::uint32_t XmlElement::count(const char* attribute, std::uint32_t otherwise, std::uint32_t least) {
  const char* value = find(attribute);
  if (value == nullptr) return otherwise;
  const std::optional<std::uint32_t> number = parse_count(value);
  if (number && *number >= least) return *number;
  fault(fmt::format("has {}={}, which is not a whole number from {} on", attribute, in_quotes(value), least),
        fmt::format("write {}=\"{}\"", attribute, std::max(otherwise, least)));
  return otherwise;
}

double XmlElement::number(const char* attribute, double otherwise, double least, double most) {
  const char* value = find(attribute);
  if (value == nullptr) return otherwise;
  const std::string_view text(value);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error == std::errc() && end == text.data() + text.size() && number >= least && number <= most) return number;
  fault(fmt::format("has {}={}, which is not a number from {} to {}", attribute, in_quotes(text), least, most),
        fmt::format("write {}=\"{}\"", attribute, otherwise));
  return otherwise;
}

std::vector<std::uint32_t> XmlElement::counts(const char* attribute, char separator) {
  std::vector<std::uint32_t> numbers;
  const std::string text = required_text(attribute);
  for (std::size_t begin = 0; begin < text.size() + 1 && !text.empty();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    const std::optional<std::uint32_t> number = parse_count(trimmed(std::string_view(text).substr(begin, end - begin)));
    if (!number || *number == 0) {
      fault(fmt::format("has {}={}, which is not a list of whole numbers from 1 on", attribute, in_quotes(text)),
            fmt::format("write for example {}=\"4{}2\"", attribute, separator));
      return {};
    }
    numbers.push_back(*number);
    begin = end + 1;
  }
  return numbers;
}

std::size_t XmlElement::word(const char* attribute, const std::vector<std::string>& allowed) {
  const char* value = find(attribute);
  if (value == nullptr) return 0;
  const auto found = std::find(allowed.begin(), allowed.end(), std::string_view(value));
  if (found != allowed.end()) return static_cast<std::size_t>(found - allowed.begin());
  fault(fmt::format("has an unknown {} {}", attribute, in_quotes(value)), suggestion(value, allowed));
  return 0;
}

// Parses an attribute with a unit; says what is wrong when it is there and cannot be parsed.
template <class T, class Parse>
std::optional<T> XmlElement::quantity(const char* attribute, const char* example, Parse parse) {
  const char* value = find(attribute);
  if (value == nullptr) return std::nullopt;
  const std::optional<T> parsed = parse(value);
  if (parsed) return parsed;
  const std::string_view given(value);
  const std::string hint = fmt::format("write for example {}=\"{}\"", attribute, example);
  if (given.starts_with('-'))
    fault(fmt::format("has a negative {}, {}", attribute, in_quotes(given)), hint);
  else if (!given.empty() && given.find_first_not_of("0123456789. ") == std::string_view::npos)
    fault(fmt::format("has {}={} without a unit", attribute, in_quotes(given)), hint);
  else
    fault(fmt::format("has {}={}, which is not such a quantity", attribute, in_quotes(given)), hint);
  return std::nullopt;
}

std::optional<Bytes> XmlElement::bytes(const char* attribute) {
  return quantity<Bytes>(attribute, "64KiB", parse_bytes);
}

template <class T>
void XmlElement::read_origin(const std::string& attribute, Parameter<T>& parameter) {
  const std::string spread = attribute + "-spread", source = attribute + "-source";
  parameter.spread = quantity<double>(spread.c_str(), "5%", parse_fraction).value_or(0);
  const char* own = find(source.c_str());
  parameter.source = own != nullptr ? text(source.c_str()) : text("source");
}

Parameter<Duration> XmlElement::duration(const char* attribute) {
  Parameter<Duration> parameter;
  if (!has(attribute)) fault(fmt::format("has no {}", attribute), fmt::format("add {}=\"1us\"", attribute));
  parameter.value = quantity<Duration>(attribute, "1.5us", parse_duration).value_or(Duration{});
  read_origin(attribute, parameter);
  return parameter;
}

Parameter<BytesPerSecond> XmlElement::rate(const char* attribute) {
  if (!has(attribute)) fault(fmt::format("has no {}", attribute), fmt::format("add {}=\"2GB/s\"", attribute));
  return optional_rate(attribute).value_or(Parameter<BytesPerSecond>{});
}

std::optional<Parameter<Duration>> XmlElement::optional_duration(const char* attribute) {
  Parameter<Duration> parameter;
  parameter.value = quantity<Duration>(attribute, "1.5us", parse_duration).value_or(Duration{});
  read_origin(attribute, parameter);
  if (!is_given(attribute)) return std::nullopt;
  return parameter;
}

// Whether it is there; a fault when only its companions are.
bool XmlElement::is_given(const char* attribute) {
  if (has(attribute)) return true;
  for (const char* suffix : {"-spread", "-source"}) {
    const std::string name = std::string(attribute) + suffix;
    if (has(name.c_str())) fault(fmt::format("has {} without {}", name, attribute), "add it or remove this");
  }
  return false;
}

std::optional<Parameter<BytesPerSecond>> XmlElement::optional_rate(const char* attribute) {
  Parameter<BytesPerSecond> parameter;
  const std::optional<BytesPerSecond> value = quantity<BytesPerSecond>(attribute, "2GB/s", parse_rate);
  read_origin(attribute, parameter);
  if (!is_given(attribute)) return std::nullopt;
  if (value && value->count == 0) fault(fmt::format("has a {} of zero", attribute), "give what it really does");
  parameter.value = value.value_or(BytesPerSecond{});
  return parameter;
}

Parameter<Bytes> XmlElement::amount(const char* attribute) {
  Parameter<Bytes> parameter;
  parameter.value = bytes(attribute).value_or(Bytes{});
  read_origin(attribute, parameter);
  return is_given(attribute) ? parameter : Parameter<Bytes>{};
}

void XmlElement::finish() {
  std::sort(known_.begin(), known_.end());
  known_.erase(std::unique(known_.begin(), known_.end()), known_.end());
  for (const tinyxml2::XMLAttribute* a = element_.FirstAttribute(); a != nullptr; a = a->Next()) {
    if (std::binary_search(known_.begin(), known_.end(), std::string_view(a->Name()))) continue;
    diagnostics_.add(fmt::format("{}:{}", file_, a->GetLineNum()),
                     fmt::format("{} has an unknown attribute {}", subject_, in_quotes(a->Name())),
                     suggestion(a->Name(), known_));
  }
  for (const tinyxml2::XMLNode* node = element_.FirstChild(); node != nullptr; node = node->NextSibling()) {
    const std::string_view text = node->ToText() == nullptr ? "" : trimmed(node->Value());
    if (!text.empty())
      diagnostics_.add(fmt::format("{}:{}", file_, node->GetLineNum()),
                       fmt::format("{} has text {} between its elements", subject_, in_quotes(text)),
                       "values are written as attributes");
  }
}

std::vector<const tinyxml2::XMLElement*> XmlElement::children(std::initializer_list<const char*> names) const {
  std::vector<const tinyxml2::XMLElement*> found;
  for (const tinyxml2::XMLElement* child = element_.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    const std::string_view name = child->Name();
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      found.push_back(child);
      continue;
    }
    diagnostics_.add(fmt::format("{}:{}", file_, child->GetLineNum()),
                     fmt::format("unknown element <{}> in {}", name, subject_),
                     suggestion(name, std::vector<std::string>(names.begin(), names.end())));
  }
  return found;
}

}  // namespace plumbline::hw
