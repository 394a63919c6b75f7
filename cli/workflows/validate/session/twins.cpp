#include "cli/workflows/validate/session/twins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "base/process/child.hpp"
#include "base/statistics/order.hpp"
#include "base/statistics/rank_sum.hpp"
#include "cli/workflows/validate/session/job.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;

// What is told of each cell, of those that are skipped, too.
std::vector<nlohmann::json> cells_in(const fs::path& log) {
  std::vector<nlohmann::json> cells;
  std::ifstream lines(log);
  for (std::string line; std::getline(lines, line);)
    if (auto json = nlohmann::json::parse(line, nullptr, false); json.is_object() && json.contains("cell"))
      cells.push_back(std::move(json));
  return cells;
}

std::string name_of(const nlohmann::json& told) {
  const std::string parameters = told.value("parameters", "");
  return told["cell"].get<std::string>() + (parameters.empty() ? "" : ":" + parameters);
}

// Cells that one side lacks say nothing.
void sum_up(std::size_t pairs, TwinOutcome& outcome) {
  std::erase_if(outcome.cells,
                [&](const TwinCell& cell) { return cell.as_is.size() != pairs || cell.changed.size() != pairs; });
  outcome.as_is_s = outcome.changed_s = outcome.least_as_is_s = outcome.least_changed_s = 0;
  if (outcome.cells.empty()) {
    outcome.fault = "no cell of the suite told a time";
    return;
  }
  std::vector<double> as_is(pairs), changed(pairs);
  for (const TwinCell& cell : outcome.cells) {
    outcome.as_is_s += statistics::median(cell.as_is);
    outcome.changed_s += statistics::median(cell.changed);
    outcome.least_as_is_s += std::ranges::min(cell.as_is);
    outcome.least_changed_s += std::ranges::min(cell.changed);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      as_is[pair] += cell.as_is[pair];
      changed[pair] += cell.changed[pair];
    }
  }
  outcome.is_apart = std::ranges::min(as_is) > std::ranges::max(changed);
  outcome.p = statistics::rank_sum_test(as_is, changed, statistics::Alternative::kGreater).p;
}

class Twins {
 public:
  Twins(const Site& site, const Mpi& mpi, const TwinWork& work, const fs::path& log)
      : site_(site), mpi_(mpi), work_(work), log_(log) {
    outcome_.typical = work.typical;
  }

  TwinOutcome run() {
    for (std::uint32_t pair = 0; pair < work_.pairs && outcome_.fault.empty(); ++pair)
      for (const bool changed : {pair % 2 == 1, pair % 2 == 0}) run_side(changed);
    if (outcome_.fault.empty()) sum_up(work_.pairs, outcome_);
    outcome_.took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count() - hung_s_;
    return std::move(outcome_);
  }

 private:
  void run_side(bool changed) {
    if (!outcome_.fault.empty()) return;
    std::vector<std::string> arguments =
        changed && !work_.changed_arguments.empty() ? work_.changed_arguments : work_.arguments;
    if (work_.seconds > 0)
      arguments.insert(arguments.begin(),
                       {"--seconds", fmt::format("{}", work_.seconds), "--least", fmt::format("{}", work_.least)});
    arguments.insert(arguments.begin(), "--json");
    bench::Launch launch = launch_on(site_, mpi_, mpi_.suite, arguments);
    if (changed) add_changes(work_.changed, launch);
    const fs::path log = log_.string() + ".part";
    std::error_code ignored;
    fs::remove(log, ignored);
    const auto began = std::chrono::steady_clock::now();
    const std::size_t cells = cells_of(arguments);
    const auto has_told_all = [&] { return cells > 0 && cells_told_in(log) == cells; };
    const double patience_s = changed ? patience() : work_.patience_s;
    const JobEnd end = run_job({launch.command, launch.environment, log, patience_s, has_told_all, work_.grace_s});
    hung_s_ += end.hung_s;
    if (!end.failure.empty() && !has_told_all()) {
      outcome_.fault = fmt::format("{}: {}", end.failure, tail_of(log));
      outcome_.as_is_failed = !changed;
      return;
    }
    if (!changed)
      longest_as_is_s_ =
          std::max(longest_as_is_s_, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    std::size_t position = 0;
    for (const CellTime& time : times_in(log)) add(time, position++, changed);
    keep_log(log);
  }

  // How many are asked for. A library that hangs in MPI_Finalize, as MPICH's does over UCX's TCP where others have the
  // cores, has told of all of them before.
  static std::size_t cells_of(const std::vector<std::string>& arguments) {
    std::size_t cells = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].starts_with("--"))
        i += arguments[i] == "--json" ? 0 : 1;
      else
        ++cells;
    }
    return cells;
  }

  // Of the changed side, which never goes first: it gains nothing where it takes so much longer, or hangs.
  double patience() const {
    constexpr double kTimes = 3, kStart = 5;
    return std::min(work_.patience_s, kTimes * longest_as_is_s_ + kStart);
  }

  // Cells are the same where they are told in the same place of a run under the same name.
  void add(const CellTime& time, std::size_t position, bool changed) {
    if (position == outcome_.cells.size()) outcome_.cells.push_back({time.name, {}, {}, time.repetitions});
    TwinCell& cell = outcome_.cells[position];
    if (cell.name != time.name || time.repetitions <= 0) return;
    const double scale = cell.repetitions / time.repetitions;
    (changed ? cell.changed : cell.as_is).push_back(scale * (work_.typical ? time.typical_s : time.seconds));
    (changed ? cell.typical_changed : cell.typical_as_is).push_back(scale * time.typical_s);
  }

  void keep_log(const fs::path& part) const {
    std::ifstream from(part);
    std::ofstream to(log_, std::ios::app);
    if (from.peek() != std::ifstream::traits_type::eof()) to << from.rdbuf();
    std::error_code ignored;
    fs::remove(part, ignored);
  }

  const Site& site_;
  const Mpi& mpi_;
  const TwinWork& work_;
  const fs::path log_;
  TwinOutcome outcome_;
  double longest_as_is_s_ = 0;
  double hung_s_ = 0;  // after the last cell
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

std::size_t cells_told_in(const fs::path& log) { return cells_in(log).size(); }

std::vector<CellTime> times_in(const fs::path& log) {
  std::vector<CellTime> times;
  for (const nlohmann::json& cell : cells_in(log))
    if (cell.contains("seconds") && cell["seconds"].is_number()) {
      const double seconds = cell["seconds"].get<double>();
      times.push_back({name_of(cell), cell.value("repetitions", 1.0), seconds, cell.value("typical_seconds", seconds)});
    }
  return times;
}

void add_changes(const std::vector<std::string>& changes, bench::Launch& launch) {
  std::vector<std::string> removed;
  for (const std::string& change : changes) {
    if (change.ends_with('='))
      removed.insert(removed.end(), {"-u", change.substr(0, change.size() - 1)});
    else
      launch.environment.push_back(change);
  }
  if (removed.empty()) return;
  removed.insert(removed.begin(), "env");
  launch.command.insert(launch.command.begin(), removed.begin(), removed.end());
}

TwinOutcome run_twins(const Site& site, const Mpi& mpi, const TwinWork& work, const fs::path& log) {
  return Twins(site, mpi, work, log).run();
}

TwinOutcome of_cells(TwinOutcome outcome, const std::function<bool(const TwinCell&)>& is_wanted) {
  if (!outcome.fault.empty()) return outcome;
  const std::size_t pairs = outcome.cells.empty() ? 0 : outcome.cells.front().as_is.size();
  std::erase_if(outcome.cells, [&](const TwinCell& cell) { return !is_wanted(cell); });
  sum_up(pairs, outcome);
  return outcome;
}

TwinOutcome with_more_pairs(TwinOutcome first, const TwinOutcome& more) {
  if (!first.fault.empty() || !more.fault.empty()) return first.fault.empty() ? more : first;
  std::size_t pairs = 0;
  for (TwinCell& cell : first.cells) {
    const auto same = std::ranges::find(more.cells, cell.name, &TwinCell::name);
    if (same == more.cells.end()) continue;
    const double scale = cell.repetitions / same->repetitions;
    for (const auto times :
         {&TwinCell::as_is, &TwinCell::changed, &TwinCell::typical_as_is, &TwinCell::typical_changed})
      for (const double time : (*same).*times) (cell.*times).push_back(time * scale);
    pairs = std::max(pairs, cell.as_is.size());
  }
  first.took_s += more.took_s;
  sum_up(pairs, first);
  return first;
}

}  // namespace plumbline::cli::validate
