#pragma once
// Reads the attributes of one element of a platform file into the part that they describe.

#include <cstdint>
#include <optional>

#include "hwmodels/fields.hpp"
#include "hwmodels/xml_element.hpp"

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

  // The first word is the default.
  template <class T, class Words>
  void operator()(const Field& field, Worded<T, Words> word) {
    if (is_required(field) && !element_.has(field.name)) {
      element_.required_text(field.name);
      return;
    }
    if (element_.has(field.name)) word.value = word.words[element_.word(field.name, all_words(word.words))].value;
  }

 private:
  static bool is_required(const Field& field) { return field.presence == Presence::kRequired; }

  XmlElement& element_;
};

}  // namespace plumbline::hw
