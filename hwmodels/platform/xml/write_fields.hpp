#pragma once
// Writes the numbers of one part of a platform as the attributes of an element.

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/quantity.hpp"
#include "hwmodels/platform/fields/storage_fields.hpp"
#include "hwmodels/platform/xml/xml_line.hpp"

namespace plumbline::hw {

// A visitor of fields().
class WriteFields {
 public:
  explicit WriteFields(XmlLine& line) : line_(line) {}

  template <class T>
  void operator()(const Field& field, const Parameter<T>& value) {
    if (is_written(field, value != Parameter<T>{})) line_.add(field.name, value);
  }
  template <class T>
  void operator()(const Field& field, const std::optional<Parameter<T>>& value) {
    line_.add(field.name, value);
  }
  void operator()(const Field& field, const Bytes& value) { line_.add(field.name, format_exact(value)); }
  void operator()(const Field& field, const std::optional<Bytes>& value) {
    if (value) line_.add(field.name, format_exact(*value));
  }
  void operator()(const Field& field, const std::uint32_t& count) { line_.add(field.name, fmt::format("{}", count)); }
  void operator()(const Field& field, CountOrAll<const std::uint32_t> count) {
    if (count.value != 0) line_.add(field.name, fmt::format("{}", count.value));
  }
  void operator()(const Field& field, Bounded<const double> number) {
    if (is_written(field, number.value != number.otherwise)) line_.add(field.name, fmt::format("{}", number.value));
  }
  template <class T, class Words>
  void operator()(const Field& field, Worded<const T, Words> word) {
    if (is_written(field, word.value != word.words[0].value)) line_.add(field.name, word_of(word.value, word.words));
  }

 private:
  static bool is_written(const Field& field, bool is_other_than_default) {
    return field.presence != Presence::kOptional || is_other_than_default;
  }

  XmlLine& line_;
};

// An element without children, inside of another.
template <class Part>
std::string write_part(const char* element, const Part& part) {
  XmlLine line(2, element);
  fields(part, WriteFields(line));
  return line.closed();
}

}  // namespace plumbline::hw
