#include "replay/expect/shared_lengths.hpp"

#include <span>

#include "base/team/bytes.hpp"
#include "replay/engine/replay.hpp"
#include "replay/expect/what_if.hpp"
#include "replay/program/compile/compile.hpp"

namespace plumbline::cli {
namespace {

std::string as_bytes(const LengthsWanted& wanted) {
  ByteWriter out;
  out.put_text(std::filesystem::absolute(wanted.observed).native());
  out.put_text(std::filesystem::absolute(wanted.platform).native());
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
  wanted.observed = in.get_text();
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

replay::Program program_at(const std::filesystem::path& observed) {
  if (replay::is_program_file(observed)) return replay::Program::open(observed);
  replay::CompileSummary summary;
  return replay::program_of(observed, summary);  // process 0 has compiled it
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
  const replay::Program program = program_at(wanted.observed);
  const hw::Platform platform = read_platform_for({}, wanted.platform);
  ByteWriter lengths;
  for (std::size_t i = own.begin; i < own.end; ++i) {
    const OneReplay& one = wanted.replays[i];
    lengths.put(length_of(program, what_if(platform, one.settings), wanted.compute, one.seed));
    processes.tell(static_cast<double>(i + 1 - own.begin) / static_cast<double>(own.size()));
  }
  std::string all;
  for (const std::string& bytes : processes.gather(lengths.bytes())) all += bytes;
  return all;
}

}  // namespace

const SharedWork kLengths{"replay.lengths", lengths_part};

std::vector<Duration> shared_lengths(Workers& workers, const LengthsWanted& wanted,
                                     const std::function<void(double share)>& progress) {
  const std::string bytes = workers.run_telling(kLengths, as_bytes(wanted), progress);
  ByteReader in(bytes);
  std::vector<Duration> lengths;
  while (!in.at_end()) lengths.push_back(in.get<Duration>());
  return lengths;
}

}  // namespace plumbline::cli
