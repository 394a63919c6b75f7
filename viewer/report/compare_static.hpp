#pragma once
// What a comparison found, as HTML that is well-formed XML and needs no scripts.

#include <span>
#include <string>

#include "replay/report/report.hpp"

namespace plumbline::viewer {

struct ComparisonFacts {
  std::string key, version;  // of the content that was compared; of the program that compared it
  double band_share = 0;     // of all judged time: what the spread of the platform's parameters allows
};

// "Plumbline: 1 finding: it costs ..", escaped.
std::string comparison_title(const replay::Report& report);

std::string comparison_style();

// <main>: verdict, how far it can be trusted, facts, findings, pictures, tables and notes. `about_file`: sentences on
// the file that it becomes part of.
std::string comparison_markup(const replay::Report& report, const ComparisonFacts& facts,
                              std::span<const std::string> about_file = {});

}  // namespace plumbline::viewer
