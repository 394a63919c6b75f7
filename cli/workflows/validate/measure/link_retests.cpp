#include "cli/workflows/validate/measure/link_retests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cli/workflows/validate/session/job.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;
using replay::validate::Retest;

constexpr double kSlower = 1.1;                                      // as a component is accused of in the suite
constexpr double kPatience = 60;                                     // s
constexpr double kLeastPart = 0.25;                                  // of the latency that a cable is accused of
constexpr std::string_view kBeyond = "latency beyond the expected";  // in evidence
constexpr std::string_view kPingPong = "ping_pong:";
constexpr std::uint32_t kRounds = 2;

// In both directions at once and in one, and back and forth: a cable that is slow in any of them is slow.
std::vector<std::string> arguments_of_cells() {
  return {"--json", "exchange:bytes=256KiB,repetitions=10", "stream:bytes=1MiB,repetitions=5",
          "ping_pong:bytes=8,repetitions=200"};
}

std::vector<CellTime> measure(const Session& session, Mpi pair, std::vector<std::string> hosts, const fs::path& log) {
  pair.layout.hosts = std::move(hosts);
  pair.layout.nodes = 2;
  pair.layout.per_node = 1;
  std::error_code ignored;
  fs::remove(log, ignored);
  const bench::Launch launch = launch_on(session.site, pair, pair.suite, arguments_of_cells());
  const auto has_told_all = [&] { return cells_told_in(log) == arguments_of_cells().size() - 1; };  // but --json
  const JobEnd end = run_job({launch.command, launch.environment, log, kPatience, has_told_all});
  return end.failure.empty() || has_told_all() ? times_in(log) : std::vector<CellTime>{};
}

double seconds_of(const CellTime& cell) { return cell.seconds / std::max(cell.repetitions, 1.0); }

// Of the cell in that place, by round; empty where a round lacks it.
std::vector<double> series(const std::vector<std::vector<CellTime>>& rounds, std::size_t cell) {
  std::vector<double> seconds;
  for (const std::vector<CellTime>& round : rounds) {
    if (cell >= round.size()) return {};
    seconds.push_back(seconds_of(round[cell]));
  }
  return seconds;
}

// By how many times the suspect is slower in the round in which it is least so.
double least_ratio(const std::vector<double>& suspect, const std::vector<double>& twin) {
  double least = 0;
  for (std::size_t round = 0; round < suspect.size(); ++round) {
    const double ratio = twin[round] > 0 ? suspect[round] / twin[round] : 0;
    least = round == 0 ? ratio : std::min(least, ratio);
  }
  return least;
}

}  // namespace

std::string host_of_link(std::string_view component, const std::vector<std::string>& hosts) {
  constexpr std::string_view kLink = "link ";
  if (!component.starts_with(kLink)) return {};
  const std::string_view link = component.substr(kLink.size(), component.find(',') - kLink.size());
  for (const std::string& host : hosts)
    if (link == host || link.starts_with(host + "-") || link.ends_with("-" + host)) return host;
  return {};
}

std::optional<Retest> judge_rounds(const std::vector<std::vector<CellTime>>& suspect,
                                   const std::vector<std::vector<CellTime>>& twin, const std::string& pair) {
  std::optional<Retest> worst;
  double most = -1;
  if (suspect.empty() || suspect.size() != twin.size()) return {};
  for (std::size_t cell = 0; cell < suspect.front().size(); ++cell) {
    const std::vector<double> own = series(suspect, cell), other = series(twin, cell);
    if (own.empty() || own.size() != other.size() || least_ratio(own, other) <= most) continue;
    most = least_ratio(own, other);
    worst = Retest{fmt::format("{}, {}", suspect.front()[cell].name, pair),
                   "s",
                   own.front(),
                   {own.begin() + 1, own.end()},
                   other,
                   most >= kSlower};
  }
  return worst;
}

replay::validate::Datum latency_beyond_expected(double seconds) {
  return {std::string(kBeyond), fmt::format("{:.4g}", seconds), "s"};
}

bool speaks_for(const Retest& retest, const replay::validate::Diagnosis& diagnosis) {
  if (!retest.persists) return false;
  const auto told = std::ranges::find(diagnosis.evidence, kBeyond, &replay::validate::Datum::name);
  if (told == diagnosis.evidence.end() || !retest.what.starts_with(kPingPong)) return true;
  std::vector<double> own{retest.first};
  own.insert(own.end(), retest.again.begin(), retest.again.end());
  const double least = kLeastPart * 2 * std::strtod(told->value.c_str(), nullptr);  // there and back
  for (std::size_t round = 0; round < std::min(own.size(), retest.twin.size()); ++round)
    if (own[round] - retest.twin[round] < least) return false;
  return true;
}

std::optional<Retest> retest_of_link(Session& session, const Mpi& mpi, const std::string& component) {
  const std::vector<std::string>& hosts = mpi.layout.hosts;
  const std::string host = host_of_link(component, hosts);
  if (host.empty() || hosts.size() < 3 || !mpi.layout.launcher.empty()) return {};
  const auto at = static_cast<std::size_t>(std::ranges::find(hosts, host) - hosts.begin());
  const std::string &partner = hosts[(at + 1) % hosts.size()], &other = hosts[(at + 2) % hosts.size()];
  session.begin_step(fmt::format("{} by itself, {}", component, mpi.installed.flavour));
  const fs::path log = session.log(fmt::format("link-{}-{}", mpi.installed.flavour, host));
  std::vector<std::vector<CellTime>> suspect, twin;
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    suspect.push_back(measure(session, mpi, {host, partner}, log));
    twin.push_back(measure(session, mpi, {other, partner}, log));
  }
  auto retest = judge_rounds(suspect, twin, fmt::format("{} with {} beside {} with {}", host, partner, other, partner));
  if (!retest)
    session.validation.notes.push_back(
        fmt::format("{} could not be measured by itself: see {}", component, log.string()));
  return retest;
}

}  // namespace plumbline::cli::validate
