#pragma once
// A trace for https://ui.perfetto.dev and trace_processor, in Perfetto's own format. The observed run and the reference
// are a process each, ranks are threads, operations are slices, messages are flows.
//
// A flow goes from a send to the operation at whose end the message was there. Perfetto draws flows to where a slice
// begins, in order of time: where the receiver was there first, the flow goes to a mark of no length at the end of its
// operation instead.

#include <ostream>

#include "base/progress.hpp"
#include "viewer/export/facts.hpp"
#include "viewer/index/matches/matches.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// Memory: of one rank. The comparison of `runs` is not looked at. Error when `to` takes no more.
ExportSummary write_perfetto(const Runs& runs, const Matches& matches, std::ostream& to, Progress* progress = nullptr);

}  // namespace plumbline::viewer
