#include "replay/expect/shared_lengths.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/team/bytes.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/engine/replay.hpp"
#include "replay/expect/what_if.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::expect {

template <class Io>
void fields(Io& io, OneReplay& one) {
  io(one.settings, one.seed);
}

template <class Io>
void fields(Io& io, LengthsWanted& wanted) {
  io(wanted.program, wanted.content_key, wanted.platform, wanted.compute, wanted.replays);
}

namespace {

// Nothing where it is not there, or is another one.
std::optional<replay::Program> program_of(const LengthsWanted& wanted) {
  try {
    replay::Program program = replay::Program::open(wanted.program);
    if (program.content_key() == wanted.content_key) return program;
  } catch (const Error&) {
  }
  return std::nullopt;
}

bool all_have(Processes& processes, const std::optional<replay::Program>& program) {
  const std::vector<std::string> told = processes.exchange(program ? "y" : "n");
  return std::ranges::find(told, "n") == told.end();
}

Duration length_of(const replay::Program& program, const WhatIf& changed, double compute, std::uint64_t seed) {
  const replay::ReplayOptions how{.mode = replay::Mode::kFree,
                                  .form = replay::Form::kAsConfigured,
                                  .compute = compute,
                                  .choices = changed.choices,
                                  .seed = seed,
                                  .keep_times = false};
  return replay::replay(program, changed.platform, how).end - Time{};
}

std::string lengths_part(Processes& processes, std::string_view argument) {
  const auto wanted = from_bytes<LengthsWanted>(argument);
  const std::vector<std::uint64_t> costs(wanted.replays.size(), 1);
  const Block own = split_by_cost(costs, processes.size())[processes.rank()];
  const std::optional<replay::Program> program = program_of(wanted);
  if (!all_have(processes, program)) return {};
  const hw::Platform platform = hw::parse_platform(wanted.platform, "platform");
  ByteWriter lengths;
  for (std::size_t i = own.begin; i < own.end; ++i) {
    const OneReplay& one = wanted.replays[i];
    lengths.put(length_of(*program, what_if(platform, one.settings), wanted.compute, one.seed));
    processes.tell(static_cast<double>(i + 1 - own.begin) / static_cast<double>(own.size()));
  }
  std::string all;
  for (const std::string& bytes : processes.gather(lengths.bytes())) all += bytes;
  return all;
}

}  // namespace

const SharedWork kLengths{"replay.lengths", lengths_part};

std::optional<std::vector<Duration>> shared_lengths(Workers& workers, const LengthsWanted& wanted,
                                                    const std::function<void(double share)>& progress) {
  const std::string bytes = workers.run_telling(kLengths, to_bytes(wanted), progress);
  if (bytes.empty()) return std::nullopt;
  ByteReader in(bytes);
  std::vector<Duration> lengths;
  while (!in.at_end()) lengths.push_back(in.get<Duration>());
  return lengths;
}

}  // namespace plumbline::replay::expect
