#pragma once
// The lines of a .prv file, as paraver-kernel reads them
// (https://github.com/bsc-performance-tools/paraver-kernel, src/tracebodyio_v1.cpp, resourcemodel.cpp,
// processmodel.cpp).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "viewer/export/output.hpp"
#include "viewer/export/paraver_machine.hpp"

namespace plumbline::viewer::paraver {

// A rank of one of the runs.
struct Row {
  Side side = Side::kObserved;
  std::uint32_t rank = 0;
};

using Event = std::pair<std::uint32_t, std::uint64_t>;  // type, value

class Records {
 public:
  Records(std::ostream& to, const Machine& machine) : out_(to, "the trace"), machine_(machine) {}

  void header(const std::string& date, std::uint64_t length_ns, std::uint32_t sides);
  // Of no length: nothing.
  void state(Row row, std::uint64_t begin_ns, std::uint64_t end_ns, std::uint32_t state);
  void events(Row row, std::uint64_t time_ns, const std::vector<Event>& events);
  struct End {
    Row row;
    std::uint64_t logical_ns = 0, physical_ns = 0;  // when the call was made; when the message left, or was there
  };
  void communication(const End& send, const End& receive, std::uint64_t bytes, std::int32_t tag);
  void finish() { out_.flush(); }

 private:
  void place(Row row);
  void field(std::uint64_t value);

  Output out_;
  const Machine& machine_;
};

}  // namespace plumbline::viewer::paraver
