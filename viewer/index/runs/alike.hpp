#pragma once
// Operations that are alike: those of a row of the comparison, or of a call.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "replay/compare/tally.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

class OperationsAlike {
 public:
  // runs.comparison->rows[row], which is there.
  OperationsAlike(const Runs& runs, std::size_t row);
  // Of the call, at the site where one is told ("": those without one).
  OperationsAlike(const Runs& runs, std::string_view call, std::optional<std::string_view> site);

  bool contains(std::uint32_t rank, std::uint32_t operation) const;
  bool is_empty() const;  // the program has no such call or site

 private:
  const Runs& runs_;
  std::vector<std::uint8_t> calls_, sites_;  // by index; of sites one more for none
  std::optional<replay::RowKeys> keys_;
  replay::RowKey row_;
};

}  // namespace plumbline::viewer
