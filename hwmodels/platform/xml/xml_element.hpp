#pragma once
// One element of a platform file under examination: its attributes by name and type, every fault noted with its line.

#include <tinyxml2.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

// "did you mean 'rate'?" when one of `known` is near to `word`, else "known here: a, b".
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

// RFC 3629, without surrogates and overlong forms: names go into JSON later, which must be UTF-8.
bool is_utf8(std::string_view text);

// Reads attributes; what is missing or wrong is noted in the Diagnostics and read as a default, so that one reading
// finds all faults. After the last attribute, finish() notes those that nobody asked for.
class XmlElement {
 public:
  // `subject` names the element in messages: "node 'n0'"; without it the element's own name attribute is used.
  XmlElement(const tinyxml2::XMLElement& element, const std::string& file, Diagnostics& diagnostics,
             std::string subject = {});

  // Another element of the same file.
  XmlElement of(const tinyxml2::XMLElement& element, std::string subject = {}) const {
    return XmlElement(element, file_, diagnostics_, std::move(subject));
  }

  void fault(std::string what, std::string hint = {}) const;
  const std::string& subject() const { return subject_; }
  std::string where() const;
  bool has(const char* attribute) const { return element_.Attribute(attribute) != nullptr; }

  std::string text(const char* attribute);           // "" when absent
  std::string required_text(const char* attribute);  // a fault when absent or empty
  std::uint32_t count(const char* attribute, std::uint32_t otherwise, std::uint32_t least);
  double number(const char* attribute, double otherwise, double least, double most);
  std::optional<Bytes> bytes(const char* attribute);
  std::vector<std::uint32_t> counts(const char* attribute, char separator);  // each from 1 on; empty after a fault

  // The number of the word among those allowed; 0, the default, when absent.
  std::size_t word(const char* attribute, const std::vector<std::string>& allowed);

  // With attributes X-spread and X-source; the attribute `source` of the element is the source of all of them.
  Parameter<Duration> duration(const char* attribute);
  std::optional<Parameter<Duration>> optional_duration(const char* attribute);
  Parameter<BytesPerSecond> rate(const char* attribute);
  std::optional<Parameter<BytesPerSecond>> optional_rate(const char* attribute);
  Parameter<Bytes> amount(const char* attribute);  // 0 when absent

  // Notes attributes that were not asked for, and text.
  void finish();

  // The child elements, in order; those with other names than `names` are noted and left out.
  std::vector<const tinyxml2::XMLElement*> children(std::initializer_list<const char*> names) const;

 private:
  const char* find(const char* attribute);
  template <class T, class Parse>
  std::optional<T> quantity(const char* attribute, const char* example, Parse parse);
  template <class T>
  void read_origin(const std::string& attribute, Parameter<T>& parameter);
  bool is_given(const char* attribute);

  const tinyxml2::XMLElement& element_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  std::string subject_;
  std::vector<std::string> known_;
};

}  // namespace plumbline::hw
