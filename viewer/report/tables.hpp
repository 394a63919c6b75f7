#pragma once
// What was checked, run, not judged and noted, as tables of the page.

#include <span>
#include <string>

#include "replay/validate/validation.hpp"
#include "viewer/report/worst_rows.hpp"

namespace plumbline::viewer {

std::string machine_facts(const replay::validate::Validation& validation);
std::string check_table(const replay::validate::Validation& validation);
std::string suite_table(const replay::validate::Validation& validation, std::span<const NamedReport> runs);
std::string not_judged_table(std::span<const NamedReport> runs);
std::string withheld_table(std::span<const NamedReport> runs);
std::string stage_table(const replay::validate::Validation& validation);
// Of the validation, then of its runs; each once.
std::string note_list(const replay::validate::Validation& validation, std::span<const NamedReport> runs);

}  // namespace plumbline::viewer
