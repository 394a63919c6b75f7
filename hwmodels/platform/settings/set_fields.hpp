#pragma once
// Names the numbers of one part of a platform as settings (hwmodels/platform/settings/settings.hpp).

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "hwmodels/platform/fields/fields.hpp"
#include "hwmodels/platform/settings/adjustable_parameters.hpp"

namespace plumbline::hw {

// A visitor of fields(): "server.d0.disk" and a field "turn" make the setting "server.d0.disk.turn". The part must
// outlive the list.
class SetFields {
 public:
  SetFields(std::string of, AdjustableParameters& parameters) : of_(std::move(of)), parameters_(parameters) {}

  template <class Value>
  void operator()(const Field& field, Value&& value) {
    if (field.is_set) add(of_ + "." + field.name, field, value);
  }

 private:
  static constexpr const char* kCount = "a number, at least 1";
  static constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();

  void add(std::string name, const Field&, Parameter<Duration>& value) { parameters_.duration(std::move(name), value); }
  void add(std::string name, const Field&, Parameter<BytesPerSecond>& value) {
    parameters_.rate(std::move(name), value);
  }
  void add(std::string name, const Field&, Parameter<Bytes>& value) { parameters_.bytes(std::move(name), value); }
  void add(std::string name, const Field&, std::optional<Parameter<Duration>>& value) {
    parameters_.duration(std::move(name), value);
  }
  void add(std::string name, const Field&, std::optional<Parameter<BytesPerSecond>>& value) {
    parameters_.rate(std::move(name), value);
  }
  void add(std::string name, const Field& field, Bytes& value) {
    parameters_.bytes(std::move(name), value, Bytes{field.least});
  }
  void add(std::string name, const Field&, std::optional<Bytes>& value) { parameters_.bytes(std::move(name), value); }
  void add(std::string name, const Field&, std::uint32_t& count) {
    parameters_.number(std::move(name), kCount, count, 1U, kMost);
  }
  void add(std::string name, const Field&, CountOrAll<std::uint32_t> count) {
    parameters_.count_or_all(std::move(name), count.value);
  }
  void add(std::string name, const Field&, Bounded<double> number) {
    parameters_.number(std::move(name), fmt::format("a factor from {} to {}", number.least, number.most), number.value,
                       number.least, number.most);
  }
  template <class T, class Words>
  void add(std::string name, const Field&, Worded<T, Words> word) {
    parameters_.word(std::move(name), word.value, word.words);
  }

  std::string of_;
  AdjustableParameters& parameters_;
};

}  // namespace plumbline::hw
