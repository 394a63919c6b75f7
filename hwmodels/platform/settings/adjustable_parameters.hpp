#pragma once
// What of a platform can be set by name, as a list of names with what each understands
// (hwmodels/platform/settings/settings.hpp).

#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform/fields/field_words.hpp"
#include "hwmodels/platform/parameter.hpp"

namespace plumbline::hw {

// One thing that can be set: false when `value` is none of `expects`.
struct AdjustableParameter {
  std::string name;
  std::string expects;
  std::function<bool(std::string_view value)> set;
  std::function<std::vector<std::string>()> known = {};  // where the value is a name: all that there are
};

// What was set is known exactly: its spread is 0 and its source says so.
template <class T>
bool assign(Parameter<T>& parameter, const std::optional<T>& value) {
  if (value) parameter = {*value, 0, "set by hand"};
  return value.has_value();
}

// Each adds a parameter for a place that outlives it. Optional ones come to be when they are set.
class AdjustableParameters {
 public:
  void add(std::string name, std::string expects, std::function<bool(std::string_view)> set,
           std::function<std::vector<std::string>()> known = {}) {
    parameters_.push_back({std::move(name), std::move(expects), std::move(set), std::move(known)});
  }

  void rate(std::string name, Parameter<BytesPerSecond>& parameter);
  void rate(std::string name, std::optional<Parameter<BytesPerSecond>>& parameter);
  void duration(std::string name, Parameter<Duration>& parameter);
  void duration(std::string name, std::optional<Parameter<Duration>>& parameter);
  void bytes(std::string name, Bytes& amount, Bytes least);
  void bytes(std::string name, std::optional<Bytes>& amount);
  void bytes(std::string name, Parameter<Bytes>& parameter);

  // clang-tidy does not see that templates move what they are given.
  // NOLINTBEGIN(performance-unnecessary-value-param)

  template <class T>
  void number(std::string name, std::string expects, T& number, T least, T most) {
    add(std::move(name), std::move(expects), [&number, least, most](std::string_view text) {
      T value{};
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most)) return false;
      number = value;
      return true;
    });
  }

  // A count from 1 on, or `all`, which is 0.
  void count_or_all(std::string name, std::uint32_t& count);

  // One of some words, each with what it means; the words outlive it too.
  template <class T, std::size_t N>
  void word(std::string name, T& place, const std::array<WordOf<T>, N>& words) {
    std::vector<std::string> known;
    for (const WordOf<T>& word : words) known.emplace_back(word.word);
    add(std::move(name), one_of(known), [&place, &words](std::string_view text) {
      for (const WordOf<T>& word : words)
        if (text == word.word) {
          place = word.value;
          return true;
        }
      return false;
    });
  }
  // NOLINTEND(performance-unnecessary-value-param)

  std::vector<AdjustableParameter> take() { return std::move(parameters_); }

 private:
  static std::string one_of(std::span<const std::string> words);  // "a, b or c"

  std::vector<AdjustableParameter> parameters_;
};

}  // namespace plumbline::hw
