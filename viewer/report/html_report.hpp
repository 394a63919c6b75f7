#pragma once
// A validation as one file: HTML that needs no scripts, no network and no other file, is well-formed XML, follows the
// reader's choice of light or dark, and prints on A4.

#include <span>
#include <string>

#include "replay/validate/validation.hpp"
#include "viewer/report/worst_rows.hpp"

namespace plumbline::viewer {

// `runs`: reports of runs of the suite, by SuiteRun::name, "name (mpi)", SuiteRun::report or SuiteRun::archive; not all
// need be there. With none there are no pictures of where time went. Names may hold anything: all text is escaped.
std::string html_report(const replay::validate::Validation& validation, std::span<const NamedReport> runs = {});

}  // namespace plumbline::viewer
