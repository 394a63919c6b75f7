// measure_cell() of bench/ranks/runtime/family.hpp.

#include <fmt/format.h>

#include "base/error.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench {
namespace {

struct Measured {
  plumbline_measured values{};
  ~Measured() { plumbline_free_measured(&values); }
};

void fill(Cell& cell, const plumbline_measured& measured, const Effort& effort) {
  cell.timing = effort.timing;
  cell.isolation = effort.isolation;
  cell.stop = effort.stop;
  cell.reached = measured.reached != 0;
  cell.clock_bound_s = measured.clock_bound;
  cell.window_s = measured.window;
  if (measured.seconds == nullptr) return;
  const std::size_t repetitions = measured.repetitions;
  cell.seconds.assign(measured.seconds, measured.seconds + repetitions);
  cell.flags.assign(measured.flags, measured.flags + repetitions);
  cell.of_ranks.assign(measured.of_ranks, measured.of_ranks + repetitions * measured.ranks);
}

}  // namespace

Cell measure_cell(MPI_Comm comm, const plumbline_operation& operation, const Effort& effort, Cell cell) {
  const plumbline_settings settings = settings_of(effort);
  Measured measured;
  const int code = plumbline_measure(comm, &operation, cell.bytes, &settings, &measured.values);
  if (code == PLUMBLINE_BAD_SETTING)
    throw Error(cell.operation, fmt::format("cannot be measured like this on {} ranks", size_of(comm)),
                "root, least and most, confidence, precision and times must be possible ones");
  must(code);
  fill(cell, measured.values, effort);
  return cell;
}

}  // namespace plumbline::bench
