#include "cli/workflows/validate/measure/server_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/quantity.hpp"
#include "bench/results/storage_cells.hpp"
#include "cli/workflows/validate/measure/calibration.hpp"
#include "cli/workflows/validate/measure/component_findings.hpp"
#include "cli/workflows/validate/measure/findings.hpp"
#include "cli/workflows/validate/measure/retests.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"
#include "hwmodels/platform/settings/settings.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Confidence;
using replay::validate::Diagnosis;
using replay::validate::Reference;
using replay::validate::Retest;

constexpr double kSecondsOfServers = 20;

double best(const std::vector<ServerRates>& servers, double ServerRates::*rate) {
  double most = 0;
  for (const ServerRates& server : servers) most = std::max(most, server.*rate);
  return most;
}

bool is_slow(const ServerRates& server, const std::vector<ServerRates>& servers, double ServerRates::*rate) {
  return server.*rate > 0 && server.*rate < kPartOfBest * best(servers, rate);
}

const ServerRates* find(const std::vector<ServerRates>& servers, const std::string& name) {
  const auto found = std::ranges::find(servers, name, &ServerRates::name);
  return found == servers.end() ? nullptr : &*found;
}

// Of a server that was slow in this direction: whether each further measurement has it slow too.
Retest retest_of(const ServerRates& server, double ServerRates::*rate, std::string what,
                 const std::vector<ServerRates>& first, const std::vector<std::vector<ServerRates>>& again) {
  Retest retest{std::move(what), "B/s", server.*rate, {}, {best(first, rate)}, true};
  for (const std::vector<ServerRates>& servers : again) {
    const ServerRates* const now = find(servers, server.name);
    retest.again.push_back(now == nullptr ? 0 : now->*rate);
    retest.twin.push_back(best(servers, rate));
    retest.persists = retest.persists && now != nullptr && is_slow(*now, servers, rate);
  }
  return retest;
}

std::vector<std::vector<ServerRates>> measure_again(Session& session, const MpiResult& result) {
  std::vector<std::vector<ServerRates>> again;
  const std::string& flavour = result.mpi->installed.flavour;
  for (std::uint32_t time = 1; time <= kRetests; ++time) {
    session.begin_step(fmt::format("file servers again, {}", flavour));
    const auto file = session.directory / fmt::format("servers-again-{}-{}.h5", time, flavour);
    const std::string text = servers_text(machine_campaign_on(session, *result.mpi));
    again.push_back(server_rates(run_campaign(session, text, "servers again", file, kSecondsOfServers)));
  }
  return again;
}

// Seconds that the suite takes longer with this server as it was measured than with all as the platform has them.
double cost_of(Session& session, const MpiResult& result, const ServerRates& server) {
  const hw::Platform platform = hw::read_platform(result.platform);
  const auto set = [&](const char* which, double rate) {
    return hw::Setting{fmt::format("server.{}.flash.{}-rate", server.name, which), fmt::format("{:.0f}B/s", rate)};
  };
  const std::array settings{set("write", server.write > 0 ? server.write : server.read),
                            set("read", server.read > 0 ? server.read : server.write)};
  return cost_in_replays(session, *result.mpi, platform, settings);
}

std::string title_of(const Retest& worst, const std::string& name) {
  const auto rate = [](double value) { return format(BytesPerSecond{static_cast<std::uint64_t>(value)}); };
  return fmt::format("server {} delivers {} where another one delivers {} ({})", name, rate(worst.first),
                     rate(worst.twin.front()), worst.what);
}

Diagnosis diagnosis_of(const ServerRates& server, const MpiResult& result, std::vector<Retest> retests) {
  Diagnosis diagnosis;
  diagnosis.id = "server.slow";
  diagnosis.component = "server " + server.name;
  diagnosis.places = {server.name.substr(0, server.name.find(':'))};
  diagnosis.mpi = result.mpi->installed.flavour;
  diagnosis.title = title_of(retests.front(), server.name);
  diagnosis.reference = Reference::kPeers;
  diagnosis.cost_basis =
      "replays of the suite with the server as measured, and as the platform has it, where it was observed so long";
  diagnosis.confidence = Confidence::kGood;
  diagnosis.samples = 1 + kRetests;
  diagnosis.retests = std::move(retests);
  return diagnosis;
}

}  // namespace

std::vector<ServerRates> server_rates(const bench::Campaign& campaign) {
  using namespace hw::calibration;
  return fit_servers(cells_of(campaign, bench::cells::kStorageCalls)).servers;
}

std::vector<ServerRates> suspected_servers(const std::vector<ServerRates>& servers) {
  std::vector<ServerRates> suspected;
  for (const ServerRates& server : servers)
    if (is_slow(server, servers, &ServerRates::write) || is_slow(server, servers, &ServerRates::read))
      suspected.push_back(server);
  return suspected;
}

std::vector<Retest> retests_of(const ServerRates& server, const std::vector<ServerRates>& first,
                               const std::vector<std::vector<ServerRates>>& again) {
  std::vector<Retest> retests;
  for (const auto& [rate, what] : {std::pair{&ServerRates::write, "writing"}, std::pair{&ServerRates::read, "reading"}})
    if (is_slow(server, first, rate)) retests.push_back(retest_of(server, rate, what, first, again));
  std::ranges::stable_sort(
      retests, {}, [](const Retest& each) { return std::pair(!each.persists, each.first / each.twin.front()); });
  return retests;
}

std::vector<Diagnosis> slow_servers(Session& session) {
  std::vector<Diagnosis> found;
  for (const MpiResult& result : session.mpis) {
    const std::vector<ServerRates> suspected = suspected_servers(result.servers);
    if (suspected.empty() || !session.wants({"server.slow", "storage.slow"})) continue;
    const auto again = measure_again(session, result);
    for (const ServerRates& server : suspected) {
      Diagnosis diagnosis = diagnosis_of(server, result, retests_of(server, result.servers, again));
      if (!diagnosis.retests.front().persists) {
        session.validation.observations.push_back(observation_of(diagnosis, "measured again, it was not so"));
        continue;
      }
      diagnosis.cost_s = cost_of(session, result, server);
      if (diagnosis.cost_s >= kLeastShare * session.validation.suite_s())
        found.push_back(std::move(diagnosis));
      else
        session.validation.observations.push_back(observation_of(diagnosis, kCostsNothing));
    }
  }
  return found;
}

std::string directory_of_servers(const hw::Platform& platform, const std::string& directory) {
  const auto system = hw::file_system_of(platform, directory);
  if (!system) return directory;
  const std::size_t within = hw::path_within(platform.file_systems[*system], directory).size();
  return within < directory.size() ? directory.substr(0, directory.size() - within) : directory;
}

}  // namespace plumbline::cli::validate
