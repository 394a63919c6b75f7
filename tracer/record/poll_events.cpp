// A run of polls: what its Enter tells beside the call that ended it.

#include <fmt/format.h>

#include <algorithm>

#include "tracer/record/thread_events.hpp"

namespace plumbline::record {

using archive::kUndefined;

namespace {

std::string peer(std::int32_t number) { return number < 0 ? "any" : fmt::format("{}", number); }

std::string requests(const Words& words) {
  std::string list;
  for (std::size_t i = 0; i < words.low(0) && 2 + i / 2 < words.size(); ++i)
    if (const std::uint32_t request = words.half(2, i); request != 0)
      list += fmt::format("{}{}", list.empty() ? " " : ",", request);
  return list;
}

}  // namespace

// "MPI_Test 12,13", "MPI_Iprobe 3:7 on 0": source, tag and communicator; "MPI_Win_test 1": the window.
std::string ThreadEvents::text_of(const spool::Poll& poll) {
  const FunctionFact& function = *state_.process.function(poll.function).fact;
  const Words words(poll.payload);
  std::string text = function.name;
  if (function.layout == PL_LAYOUT_WAIT) text += requests(words);
  if (function.layout == PL_LAYOUT_PROBE) {
    const std::int32_t source = words.low_signed(0);
    text += fmt::format(" {}:{}", source == PL_PROC_NULL ? "none" : peer(source), peer(words.high_signed(0)));
    if (const std::uint32_t comm = state_.process.comm(words.low(2)); comm != kUndefined)
      text += fmt::format(" on {}", comm);
  }
  if (function.layout == PL_LAYOUT_WIN_TEST)
    if (const std::uint32_t window = state_.process.window(words.low(0)); window != kUndefined)
      text += fmt::format(" {}", window);
  return text;
}

// `folded`: into this call, where the record tells no more.
void ThreadEvents::poll_attributes(const OpenCall& frame, std::uint32_t folded) {
  const spool::PollRun* run = frame.record.polls;
  if (run == nullptr) {
    if (folded != 0) state_.out.attach(state_.ids.polls, folded);
    return;
  }
  const auto time = [this](std::uint64_t ticks) {
    return static_cast<std::uint64_t>(state_.process.duration(ticks).ps);
  };
  if (run->polls > 1) state_.out.attach(state_.ids.polls, run->polls - 1);
  if (run->longest_gap != 0) state_.out.attach(state_.ids.longest_poll_gap, time(run->longest_gap));
  if (run->computed != 0) state_.out.attach(state_.ids.poll_computed, time(run->computed));
  if (run->off_cpu != 0) state_.out.attach(state_.ids.poll_off_cpu, time(run->off_cpu));
  std::vector<std::string> others;
  for (const spool::Poll& poll : run->others) {
    std::string text = text_of(poll);
    if (std::ranges::find(others, text) == others.end()) others.push_back(std::move(text));
  }
  state_.out.attach_text(state_.ids.also_polled, fmt::format("{}", fmt::join(others, "; ")));
}

}  // namespace plumbline::record
