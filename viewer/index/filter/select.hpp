#pragma once
// Operations that an expression selects: "call == MPI_Send & bytes > 1MiB" (docs/reference/viewer-api.md, search).
// It is translated once, names into tables over the program's calls, sites and files, so that testing an operation
// compares numbers only.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "viewer/index/runs/operation_id.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

struct Filter;  // filter.hpp

class Selection {
 public:
  // All operations of an empty expression. Error: "filter:7: no field is called 'sze'; …", the place counted from 1.
  // `runs` must outlive the selection.
  Selection(const Runs& runs, std::string_view expression);
  ~Selection();
  Selection(Selection&&) noexcept;
  Selection& operator=(Selection&&) noexcept;

  bool is_everything() const;
  bool contains(OperationId id) const;
  // out[i] becomes 1 where operation `first` + i of the rank is selected, else 0.
  void test(std::uint32_t rank, std::uint32_t first, std::span<std::uint8_t> out) const;
  // False where no operation of the rank can be selected.
  bool may_contain(std::uint32_t rank) const;

 private:
  std::unique_ptr<const Filter> filter_;
};

std::uint64_t count(const Runs& runs, const Selection& selection);

// In order of begin, then rank, then operation: the first one behind `from`, or before it; where `from` does not exist
// the first or last of all.
OperationId next_hit(const Runs& runs, const Selection& selection, OperationId from);
OperationId previous_hit(const Runs& runs, const Selection& selection, OperationId from);

struct Hits {
  std::uint64_t count = 0;
  // Begins of the operations, ascending, each once; where these are more than was asked for, the first in each of as
  // many equal parts of the run.
  std::vector<Time> ticks;
};
Hits hits_of(const Runs& runs, const Selection& selection, std::size_t most_ticks);

}  // namespace plumbline::viewer
