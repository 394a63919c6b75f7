#pragma once
// A trace for Paraver: records (.prv), what its numbers mean (.pcf), names of its rows (.row). The observed run and the
// reference are an application each, ranks are tasks of one thread.
//
// Records are in order of time, of all ranks together, as Paraver wants them: one cursor a rank, memory of the cursors.

#include <ostream>
#include <string>

#include "base/progress.hpp"
#include "viewer/export/facts.hpp"
#include "viewer/index/matches/matches.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// `date`: of the trace, in its header: "26/11/2026 at 09:30". The comparison of `runs` is not looked at. Error when
// `to` takes no more.
ExportSummary write_prv(const Runs& runs, const Matches& matches, const std::string& date, std::ostream& to,
                        Progress* progress = nullptr);
void write_pcf(const Runs& runs, std::ostream& to);
void write_row(const Runs& runs, std::ostream& to);

}  // namespace plumbline::viewer
