#include "replay/program/set_up.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace plumbline::replay {
namespace {

// Of a run that did not end everywhere these are calls that the replay does not model; else they create a communicator.
bool starts_or_ends_mpi(std::string_view call) {
  constexpr std::array<std::string_view, 5> kCalls{"MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Session_init",
                                                   "MPI_Session_finalize"};
  return std::ranges::find(kCalls, call) != kCalls.end();
}

}  // namespace

bool is_set_up(const Program& program, const Operation& operation) {
  switch (operation.kind) {
    case OpKind::kCommCreate:
    case OpKind::kWinCreate:
      return true;
    case OpKind::kIoOpen:
      return (operation.flags & kIoIsMpi) != 0;
    case OpKind::kUnmodelled:
      return starts_or_ends_mpi(program.call(operation.call));
    default:
      return false;
  }
}

}  // namespace plumbline::replay
