#include "tracer/record/decoders/poll_events.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tracer/record/decoders/call_attributes.hpp"
#include "tracer/record/events/completions.hpp"

namespace plumbline::record {

using archive::kUndefined;

namespace {

std::string peer(std::int32_t number) { return number < 0 ? "any" : fmt::format("{}", number); }

std::string requests(spool::Words payload) {
  const Completions completions(payload);
  std::string list;
  for (std::size_t i = 0; i < completions.listed(); ++i)
    if (const std::uint32_t request = completions.request(i); request != 0)
      list += fmt::format("{}{}", list.empty() ? " " : ",", request);
  return list;
}

using Pieces = std::vector<TextPiece>;

TextPiece piece(std::string text) { return {TextPiece::Kind::kText, std::move(text), 0}; }

Pieces probed(DecodingState& t, const std::string& function, const pl_probe_payload& probe) {
  const std::string source = probe.source == PL_PROC_NULL ? "none" : peer(probe.source);
  const std::uint32_t comm = t.process.comm(probe.comm);
  const std::string text = fmt::format("{} {}:{}", function, source, peer(probe.tag));
  if (comm == kUndefined) return {piece(text)};
  return {piece(text + " on "), {TextPiece::Kind::kComm, "", comm}};
}

Pieces tested(DecodingState& t, const std::string& function, const pl_win_test_payload& test) {
  const std::uint32_t window = t.process.window(test.window);
  if (window == kUndefined) return {piece(function)};
  return {piece(function + " "), {TextPiece::Kind::kWindow, "", window}};
}

// "MPI_Test 12,13", "MPI_Iprobe 3:7 on 0": source, tag and communicator; "MPI_Win_test 1": the window.
Pieces text_of(DecodingState& t, const spool::Poll& poll) {
  const FunctionFact& function = *t.process.function(poll.function).fact;
  switch (function.layout) {
    case PL_LAYOUT_WAIT:
      return {piece(function.name + requests(poll.payload))};
    case PL_LAYOUT_PROBE:
      return probed(t, function.name, spool::decode<pl_probe_payload>(poll.payload));
    case PL_LAYOUT_WIN_TEST:
      return tested(t, function.name, spool::decode<pl_win_test_payload>(poll.payload));
    default:
      return {piece(function.name)};
  }
}

}  // namespace

void poll_attributes(DecodingState& t, const OpenCall& call, std::uint32_t folded) {
  const spool::PollRun* run = call.record.polls;
  if (run == nullptr) {
    if (folded != 0) t.out.attach(t.ids.polls, folded);
    return;
  }
  const auto time = [&](std::uint64_t ticks) { return static_cast<std::uint64_t>(t.process.duration(ticks).ps); };
  if (run->polls > 1) t.out.attach(t.ids.polls, run->polls - 1);
  if (run->longest_gap != 0) t.out.attach(t.ids.longest_poll_gap, time(run->longest_gap));
  if (run->computed != 0) t.out.attach(t.ids.poll_computed, time(run->computed));
  if (run->off_cpu != 0) t.out.attach(t.ids.poll_off_cpu, time(run->off_cpu));
  std::vector<Pieces> others;
  for (const spool::Poll& poll : run->others) {
    Pieces text = text_of(t, poll);
    if (std::ranges::find(others, text) == others.end()) others.push_back(std::move(text));
  }
  if (others.empty()) return;
  Pieces all;
  for (const Pieces& other : others) {
    if (!all.empty()) all.push_back(piece("; "));
    all.insert(all.end(), other.begin(), other.end());
  }
  t.out.attach_string(t.ids.also_polled, t.world.string(all));
}

void timed_attributes(DecodingState& t, const OpenCall& call) { poll_attributes(t, call, 0); }

void probe_attributes(DecodingState& t, const OpenCall& call) {
  const auto probe = call.as<pl_probe_payload>();
  t.out.attach_signed(t.ids.posted_source, probe.source);
  t.out.attach_signed(t.ids.posted_tag, probe.tag);
  attach_comm(t, probe.comm);
  poll_attributes(t, call, probe.polls);
}

void end_probe(DecodingState& t, const OpenCall& call, Time) {
  const auto probe = call.as<pl_probe_payload>();
  if (probe.found == 0) return;
  t.out.attach_signed(t.ids.found_source, probe.matched_source);
  t.out.attach_signed(t.ids.found_tag, probe.matched_tag);
}

}  // namespace plumbline::record
