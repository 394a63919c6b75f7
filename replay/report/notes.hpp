#pragma once
// What a reader has to know before trusting a report.

#include <string>
#include <vector>

#include "replay/report/report.hpp"

namespace plumbline::replay {

std::vector<std::string> notes_of(const Report& report);

}  // namespace plumbline::replay
