#pragma once
// A filter expression translated for a pair of runs.

#include <cstdint>
#include <span>
#include <vector>

#include "viewer/index/filter/fields.hpp"
#include "viewer/index/filter/parser.hpp"
#include "viewer/index/runs/columns.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// Texts are looked up: `table` has 1 for each index whose text fits, of sites and files one more for kNone.
struct CompiledTest {
  Field field = Field::kCall;
  std::vector<std::uint8_t> table;
  std::vector<ValueRange> ranges;
};

struct Filter {
  const Runs* runs = nullptr;
  CallFacts calls;
  std::vector<FilterNode> nodes;  // as in Expression
  std::vector<CompiledTest> tests;
};

Filter compile(const Runs& runs, const Expression& expression);

// Operations of one rank are tested so many at a time.
inline constexpr std::size_t kFilterBlock = 1024;

// out[i] = 1 where operation `first` + i passes the test; at most kFilterBlock of them.
void apply(const Filter& filter, const CompiledTest& test, std::uint32_t rank, std::uint32_t first,
           std::span<std::uint8_t> out);

}  // namespace plumbline::viewer
