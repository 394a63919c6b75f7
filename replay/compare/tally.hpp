#pragma once
// The counting half of a comparison: walks every rank once and sums its operations into rows. test_rows.hpp decides.

#include <cstdint>
#include <string>
#include <vector>

#include "replay/compare/result/comparison.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// What an operation's row is: the same for counting and for looking an operation's row up again.
class RowKeys {
 public:
  explicit RowKeys(const Program& program);
  RowKey of(const RankProgram& rank, const Operation& operation) const;

  const std::vector<std::string>& files() const { return files_; }
  const std::vector<std::uint32_t>& file_group() const { return file_group_; }

 private:
  std::uint32_t comm_size(std::uint32_t comm) const;

  const Program& program_;
  std::vector<std::string> files_;
  std::vector<std::uint32_t> file_group_;
};

// Why an operation is not judged; empty when it is.
std::string_view reason_not_judged(const Program& program, const Expected& expected, std::uint32_t rank,
                                   std::size_t operation);

// Rows and totals; verdicts and reasons of the rows are still to be set.
Comparison tally(const Program& observed, const Expected& expected, ReferenceRun reference,
                 const CompareOptions& options);

}  // namespace plumbline::replay
