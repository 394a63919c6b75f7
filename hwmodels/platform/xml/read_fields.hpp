#pragma once
// Reads the attributes of one element of a platform file into the part that they describe.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "hwmodels/platform/fields/fields.hpp"
#include "hwmodels/platform/xml/xml_element.hpp"

namespace plumbline::hw {

// A visitor of fields(). What is missing keeps its default; faults are noted by the element.
class ReadFields {
 public:
  explicit ReadFields(XmlElement& element) : element_(element) {}

  void operator()(const Field& field, Parameter<Duration>& value) {
    value = is_required(field) ? element_.duration(field.name) : element_.optional_duration(field.name).value_or(value);
  }
  void operator()(const Field& field, Parameter<BytesPerSecond>& value) {
    value = is_required(field) ? element_.rate(field.name) : element_.optional_rate(field.name).value_or(value);
  }
  void operator()(const Field& field, Parameter<Bytes>& value) { value = element_.amount(field.name); }
  void operator()(const Field& field, std::optional<Parameter<Duration>>& value) {
    value = element_.optional_duration(field.name);
  }
  void operator()(const Field& field, std::optional<Parameter<BytesPerSecond>>& value) {
    value = element_.optional_rate(field.name);
  }
  void operator()(const Field& field, Bytes& value) { value = element_.bytes(field.name).value_or(value); }
  void operator()(const Field& field, std::optional<Bytes>& value) { value = element_.bytes(field.name); }
  void operator()(const Field& field, std::uint32_t& value) { value = element_.count(field.name, value, 1); }
  void operator()(const Field& field, CountOrAll<std::uint32_t> count) {
    count.value = element_.count(field.name, 0, 1);
  }
  void operator()(const Field& field, Bounded<double> number) {
    number.value = element_.number(field.name, number.otherwise, number.least, number.most);
  }

  template <class T, class Words>
  void operator()(const Field& field, Worded<T, Words> word) {
    const bool is_given = element_.has(field.name);
    if (is_required(field) && !is_given) element_.required_text(field.name);
    const std::size_t number = element_.word(field.name, all_words(word.words));  // so that the element knows it
    if (is_given) word.value = word.words[number].value;
  }

 private:
  static bool is_required(const Field& field) { return field.presence == Presence::kRequired; }

  XmlElement& element_;
};

}  // namespace plumbline::hw
