#include "replay/program/compile/remarks.hpp"

#include <fmt/format.h>

#include <string_view>

#include "replay/program/compile/context/group_properties.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;

// Of processes that did not end in MPI_Finalize; a few speak for all.
void add_ends(std::vector<std::string>& remarks, const archive::Definitions& definitions,
              std::span<const std::uint32_t> locations) {
  for (const std::uint32_t location : locations) {
    const std::uint32_t group = definitions.locations[location].group;
    if (group >= definitions.location_groups.size() || remarks.size() >= kMostInWords) continue;
    const std::string_view end = property(definitions.location_groups[group], names::kPropertyEnd);
    if (!end.empty() && end != "finalized" && end != names::kEndLeftOut)
      remarks.push_back(fmt::format("incomplete: rank {}: {}", *definitions.locations[location].rank, end));
  }
}

// What the user did not want recorded, or had no room for.
void add_limits(std::vector<std::string>& remarks, const archive::Definitions& definitions,
                std::span<const std::uint32_t> locations) {
  std::vector<std::uint32_t> left_out;
  std::string_view window;
  for (const std::uint32_t location : locations) {
    const std::uint32_t index = definitions.locations[location].group, rank = *definitions.locations[location].rank;
    if (index >= definitions.location_groups.size()) continue;
    const archive::LocationGroup& group = definitions.location_groups[index];
    if (property(group, names::kPropertyEnd) == names::kEndLeftOut) left_out.push_back(rank);
    if (window.empty()) window = property(group, names::kPropertyWindow);
    const std::string_view dropped = property(group, names::kPropertyDroppedCalls);
    if (!dropped.empty() && remarks.size() < kMostInWords)
      remarks.push_back(
          fmt::format("incomplete: rank {}: {} older calls gave way to newer ones (--keep last)", rank, dropped));
  }
  if (!left_out.empty())
    remarks.push_back(
        fmt::format("incomplete: {} of {} ranks were left out (--ranks), the first is rank {}: messages "
                    "to and from them have no other end",
                    left_out.size(), locations.size(), left_out.front()));
  if (const std::uint64_t threads = other_threads(definitions); threads > 0)
    remarks.push_back(fmt::format("incomplete: the calls of {} other thread{} of the ranks are not replayed", threads,
                                  threads == 1 ? "" : "s"));
  if (!window.empty())
    remarks.push_back(fmt::format("incomplete: only {} after MPI_Init was recorded (--window)", window));
}

}  // namespace

void add(Found& found, const Found& later) {
  found.operations += later.operations;
  found.damaged_locations += later.damaged_locations;
  for (const std::string& told : later.damage)
    if (found.damage.size() < kMostInWords) found.damage.push_back(told);
  for (const auto& [record, n] : later.skipped) found.skipped[record] += n;
  add(found.tally, later.tally);
}

std::vector<std::string> lacks_of(const CompileContext& context, const Found& found) {
  std::vector<std::string> lacks;
  const Tally& tally = found.tally;
  const AttributeIds& ids = context.attributes;
  const auto has = [](std::uint32_t attribute) { return attribute != kNone; };
  if (found.operations > 0 && !has(ids.site)) lacks.push_back("call sites: findings name calls, not source lines");
  if (tally.accesses_without_offset > 0)
    lacks.push_back(
        fmt::format("absolute offsets or file views of {} MPI-IO accesses: where they fall in the file is "
                    "not known",
                    tally.accesses_without_offset));
  if (tally.collectives_without_record > 0)
    lacks.push_back(fmt::format("records of {} non-blocking collectives: they and their waits are not judged",
                                tally.collectives_without_record));
  if (tally.atomicity_set > 0)
    lacks.push_back(fmt::format("what {} calls of MPI_File_set_atomicity set: files are taken not to be in atomic mode",
                                tally.atomicity_set));
  if (tally.receives_without_post > 0)
    lacks.push_back(
        fmt::format("posts of {} receives: the oldest one without is taken for each", tally.receives_without_post));
  if (context.is_ours) return lacks;
  if (tally.receives > 0 && !has(ids.posted_source))
    lacks.push_back("wildcards of receives: each waits for the message that it matched");
  lacks.push_back("the tracer's own cost: it is part of the observed times");
  if (!has(ids.run_delay)) lacks.push_back("time off the CPU: it counts as computation");
  return lacks;
}

std::vector<std::string> remarks_of(const archive::Definitions& definitions, std::span<const std::uint32_t> locations,
                                    const Found& found) {
  std::vector<std::string> remarks = found.damage;
  if (found.damaged_locations > remarks.size())
    remarks.push_back(
        fmt::format("incomplete: {} more locations are damaged", found.damaged_locations - remarks.size()));
  const Tally& t = found.tally;
  const auto add = [&](std::uint64_t n, const char* one, const char* several) {
    if (n > 0) remarks.push_back(fmt::format("{} {}", n, n == 1 ? one : several));
  };
  add(t.disorder, "event was earlier than its predecessor and was moved to it",
      "events were earlier than their predecessors and were moved to them");
  add(t.calls_without_end, "call never ends in the archive", "calls never end in the archive");
  add(t.receives_never_completed, "receive was posted and never seen to complete; nobody waits for it",
      "receives were posted and never seen to complete; nobody waits for them");
  add(t.sends_never_completed, "send was started and never completed", "sends were started and never completed");
  add(t.others_never_completed, "other request was started and never completed",
      "other requests were started and never completed");
  add(t.cancelled, "request was cancelled; it is left out", "requests were cancelled; they are left out");
  add(t.replaced_requests, "request id was given again before the request completed",
      "request ids were given again before the requests completed");
  add(t.late_completions, "request was completed by a call that waits for none",
      "requests were completed by calls that wait for none");
  add(t.unknown_io, "I/O operation completed that was not begun", "I/O operations completed that were not begun");
  add(t.inside_out_of_order, "record of the inside of calls fits to no call",
      "records of the inside of calls fit to no call");
  if (t.refused > 0)
    remarks.push_back(fmt::format("{} {} arguments that MPI refuses and {} taken to have failed; the first: {}",
                                  t.refused, t.refused == 1 ? "call has" : "calls have", t.refused == 1 ? "is" : "are",
                                  t.first_refused));
  add_ends(remarks, definitions, locations);
  add_limits(remarks, definitions, locations);
  remarks.insert(remarks.end(), t.unfinished.begin(), t.unfinished.end());
  for (const auto& [record, n] : found.skipped)
    add(n, (record + " record was skipped").c_str(), (record + " records were skipped").c_str());
  return remarks;
}

}  // namespace plumbline::replay
