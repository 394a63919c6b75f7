#include "cli/workflows/validate/session/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "cli/workflows/validate/session/job.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/checks/check.hpp"

namespace plumbline::cli::validate {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t kSteps = 1000;  // of the progress

}  // namespace

Session::Session(const Options& given, Site& where)
    : options(given), site(where), directory(given.directory), progress_("validating", kSteps) {
  progress_.tell_time_left();
  validation.notes = site.notes;
  for (Mpi& mpi : site.mpis) mpis.emplace_back().mpi = &mpi;
}

std::filesystem::path Session::log(std::string_view name) const {
  return directory / "log" / fmt::format("{}.txt", name);
}

void Session::begin_step(std::string_view what) {
  if (is_interrupted()) throw Interrupted{};
  step_ = what;
  part_of_step(0, 0);
}

void Session::part_of_step(double planned_seconds, double share) {
  const double done = (done_s_ + planned_seconds * share) / std::max(planned_s_, 1.0);
  progress_.update(static_cast<std::uint64_t>(std::clamp(done, 0.0, 1.0) * kSteps), step_);
}

void Session::end_step(double planned_seconds) {
  done_s_ += planned_seconds;
  part_of_step(0, 0);
}

bool matches(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= text.size(); ++at)
    if (matches(rest, text.substr(at))) return true;
  return false;
}

bool Session::wants_platform() const {
  return wants({"io.hints.aggregators", "io.hints.collective", "io.hints.split", "mpi.collective.algorithm",
                "net.link.rate", "net.latency", "net.retransmits", "node.slow", "rank.slow", "storage.slow",
                "server.slow", "suite.slower"});
}

void Session::disturbed(const std::string& why) {
  auto& known = validation.disturbances;
  if (std::ranges::count(known, why) == 0) known.push_back(why);
}

void Session::part_failed(std::string_view stage, const Error& error) {
  stage_faults.try_emplace(std::string(stage), error);
  validation.notes.push_back(fmt::format("{}: {}", stage, error.what()));
}

bool Session::wants(std::initializer_list<std::string_view> prefixes) const {
  if (options.only.empty()) return true;
  for (const replay::validate::Check& check : replay::validate::catalogue())
    for (const std::string_view prefix : prefixes)
      if (check.id.starts_with(prefix) &&
          std::ranges::any_of(options.only, [&](const std::string& only) { return matches(only, check.id); }))
        return true;
  return false;
}

void run_stage(Session& session, std::string_view name, OnFault on_fault, const std::function<void()>& work) {
  if (session.is_over) return;
  const Clock::time_point begin = Clock::now();
  replay::validate::StageTime stage{std::string(name), 0, false};
  const auto note = [&] {
    stage.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    session.validation.stages.push_back(stage);
  };
  try {
    work();
  } catch (const Error& error) {
    if (on_fault == OnFault::kStop) throw;
    session.part_failed(name, error);
  } catch (const Interrupted&) {
    note();
    throw;
  }
  const auto fault = session.stage_faults.find(stage.name);
  stage.complete = fault == session.stage_faults.end();
  if (!stage.complete) {
    stage.fault = fault->second.what();
    stage.cannot_run = fault->second.code() == ExitCode::kCannotRunHere;
  }
  note();
}

}  // namespace plumbline::cli::validate
