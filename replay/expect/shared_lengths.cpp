#include "replay/expect/shared_lengths.hpp"

#include <algorithm>
#include <span>

#include "base/error.hpp"
#include "base/team/bytes.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/engine/replay.hpp"
#include "replay/expect/what_if.hpp"
#include "replay/program/program.hpp"

namespace plumbline::cli {
namespace {

std::string as_bytes(const LengthsWanted& wanted) {
  ByteWriter out;
  out.put_text(std::filesystem::absolute(wanted.program).native());
  out.put(wanted.content_key);
  out.put_text(wanted.platform);
  out.put(wanted.compute);
  out.put(std::uint64_t{wanted.replays.size()});
  for (const OneReplay& one : wanted.replays) {
    out.put(std::uint64_t{one.settings.size()});
    for (const hw::Setting& setting : one.settings) {
      out.put_text(setting.name);
      out.put_text(setting.value);
    }
    out.put(one.seed);
  }
  return out.take();
}

LengthsWanted wanted_of(std::string_view bytes) {
  ByteReader in(bytes);
  LengthsWanted wanted;
  wanted.program = in.get_text();
  wanted.content_key = in.get<std::uint64_t>();
  wanted.platform = in.get_text();
  wanted.compute = in.get<double>();
  wanted.replays.resize(in.get<std::uint64_t>());
  for (OneReplay& one : wanted.replays) {
    one.settings.resize(in.get<std::uint64_t>());
    for (hw::Setting& setting : one.settings) {
      setting.name = in.get_text();
      setting.value = in.get_text();
    }
    one.seed = in.get<std::uint64_t>();
  }
  return wanted;
}

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
  const LengthsWanted wanted = wanted_of(argument);
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
  const std::string bytes = workers.run_telling(kLengths, as_bytes(wanted), progress);
  if (bytes.empty()) return std::nullopt;
  ByteReader in(bytes);
  std::vector<Duration> lengths;
  while (!in.at_end()) lengths.push_back(in.get<Duration>());
  return lengths;
}

}  // namespace plumbline::cli
