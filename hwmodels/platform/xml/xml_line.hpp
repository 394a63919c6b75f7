#pragma once
// One element of a platform file under construction.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "hwmodels/platform/parameter.hpp"

namespace plumbline::hw {

std::string escaped_xml(std::string_view text);

// Parameters may have sources of their own, so those are written at the end; where all have the same, it is written
// once.
class XmlLine {
 public:
  XmlLine(int depth, const char* name) : text_(static_cast<std::size_t>(depth) * 2, ' ') {
    text_ += fmt::format("<{}", name);
  }

  XmlLine& add(const char* attribute, std::string_view value) {
    text_ += fmt::format(" {}=\"{}\"", attribute, escaped_xml(value));
    return *this;
  }

  XmlLine& add_unless_empty(const char* attribute, std::string_view value) {
    return value.empty() ? *this : add(attribute, value);
  }

  template <class T>
  XmlLine& add(const char* attribute, const Parameter<T>& parameter) {
    add(attribute, format_exact(parameter.value));
    if (parameter.spread != 0)
      add(fmt::format("{}-spread", attribute).c_str(), format_exact_fraction(parameter.spread));
    sources_.push_back({attribute, parameter.source});
    return *this;
  }

  template <class T>
  XmlLine& add(const char* attribute, const std::optional<Parameter<T>>& parameter) {
    return parameter ? add(attribute, *parameter) : *this;
  }

  std::string closed() { return end("/>\n"); }
  std::string opened() { return end(">\n"); }

 private:
  struct Source {
    std::string attribute, text;
  };

  std::string end(const char* tail) {
    const auto differs = [this](const Source& source) { return source.text != sources_.front().text; };
    if (!sources_.empty() && std::none_of(sources_.begin(), sources_.end(), differs)) {
      add_unless_empty("source", sources_.front().text);
    } else {
      for (const Source& source : sources_) add_unless_empty((source.attribute + "-source").c_str(), source.text);
    }
    return text_ + tail;
  }

  std::string text_;
  std::vector<Source> sources_;
};

}  // namespace plumbline::hw
