#pragma once
// Words that every text of a report shares.

#include <cstdint>
#include <string>
#include <string_view>

#include "replay/compare/result/comparison.hpp"

namespace plumbline::replay {

// "1 row", "2 rows", "0 rows".
std::string plural(std::uint64_t count, std::string_view noun);

// "3.5 %"; what rounds to nothing has no sign.
std::string percent(double fraction);

// "ranks share cores: 4 ranks on 2 cores".
std::string shared_cores_text(const SharedCores& node);
// The same, and what follows for calls that wait.
std::string why_waiting_is_withheld(const SharedCores& node);
// The same of ranks that were not scheduled for so long, and of two observed runs.
std::string why_waiting_is_withheld(TimeSum off_cpu);
inline constexpr std::string_view kTwoRunsCannotTell =
    "waiting in two runs cannot be split into a late partner and slow transport; replay both and compare each with its "
    "expectation";

}  // namespace plumbline::replay
