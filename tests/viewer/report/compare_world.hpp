#pragma once
// Comparisons that a file is made of, and what is in a file.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "replay/report/report.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {

// As Opened::report has it.
replay::Report report_of(const Opened& opened);

// So many ranks, each of which exchanges and waits for so many rounds of random lengths; one of them writes slowly.
std::unique_ptr<Opened> opened_many(int ranks, int rounds);

// What stands between two texts, each time that it does.
std::vector<std::string> all_between(std::string_view text, std::string_view before, std::string_view after);

// The data of a page; it has one.
nlohmann::json data_of(const std::string& page);

}  // namespace plumbline::viewer
