#pragma once
// A table of texts in the making.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "replay/program/program_output.hpp"

namespace plumbline::replay {

// Texts by index, in the order of their first use; equal texts are one.
class Texts {
 public:
  std::uint32_t index(std::string_view text) {
    if (const auto found = indices_.find(text); found != indices_.end()) return found->second;
    const auto index = static_cast<std::uint32_t>(texts_.size());
    texts_.push_back(&indices_.emplace(text, index).first->first);
    return index;
  }
  const std::string& operator[](std::uint32_t index) const { return *texts_[index]; }
  bool contains(std::string_view text) const { return indices_.find(text) != indices_.end(); }
  std::size_t size() const { return texts_.size(); }
  bool empty() const { return texts_.empty(); }
  std::span<const std::string* const> all() const { return texts_; }

  format::Range write(Output& output) const {
    std::vector<format::Range> ranges;
    for (const std::string* text : texts_) ranges.push_back(output.append(std::span<const char>(*text)));
    return output.append(std::span<const format::Range>(ranges));
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> indices_;
  std::vector<const std::string*> texts_;  // keys of indices_, which do not move
};

}  // namespace plumbline::replay
