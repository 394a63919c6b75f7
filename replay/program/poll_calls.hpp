#pragma once
// The calls that ask whether something has happened and return at once.

#include <algorithm>
#include <array>
#include <string_view>

namespace plumbline::replay {

inline bool is_poll(std::string_view call) {
  static constexpr std::array<std::string_view, 9> kPolls{
      "MPI_Test",    "MPI_Testall", "MPI_Testany",  "MPI_Testsome",
      "MPI_Iprobe",  "MPI_Improbe", "MPI_Win_test", "MPI_Request_get_status",
      "MPI_Parrived"};
  return std::ranges::find(kPolls, call) != kPolls.end();
}

}  // namespace plumbline::replay
