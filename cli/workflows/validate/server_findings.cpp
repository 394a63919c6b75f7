#include "cli/workflows/validate/server_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "bench/results/storage_cells.hpp"
#include "cli/workflows/validate/campaigns.hpp"
#include "cli/workflows/validate/component_findings.hpp"
#include "cli/workflows/validate/measure.hpp"
#include "cli/workflows/validate/retests.hpp"
#include "hwmodels/calibrate/storage_servers_fit.hpp"
#include "hwmodels/platform_xml.hpp"
#include "hwmodels/settings.hpp"

namespace plumbline::cli::validate {
namespace {

using plumbline::validate::Confidence;
using plumbline::validate::Diagnosis;
using plumbline::validate::Reference;
using plumbline::validate::Retest;

constexpr double kSecondsOfServers = 20;

double best(const std::vector<ServerRate>& servers, double ServerRate::*rate) {
  double most = 0;
  for (const ServerRate& server : servers) most = std::max(most, server.*rate);
  return most;
}

bool is_slow(const ServerRate& server, const std::vector<ServerRate>& servers, double ServerRate::*rate) {
  return server.*rate > 0 && server.*rate < kPartOfBest * best(servers, rate);
}

const ServerRate* find(const std::vector<ServerRate>& servers, const std::string& name) {
  const auto found = std::ranges::find(servers, name, &ServerRate::name);
  return found == servers.end() ? nullptr : &*found;
}

// Of one server in one direction: whether each further measurement has it slow too.
Retest retest_of(const ServerRate& server, double ServerRate::*rate, std::string what,
                 const std::vector<ServerRate>& first, const std::vector<std::vector<ServerRate>>& again) {
  Retest retest{std::move(what), "B/s", server.*rate, {}, {best(first, rate)}, is_slow(server, first, rate)};
  for (const std::vector<ServerRate>& servers : again) {
    const ServerRate* const now = find(servers, server.name);
    retest.again.push_back(now == nullptr ? 0 : now->*rate);
    retest.twin.push_back(best(servers, rate));
    retest.persists = retest.persists && now != nullptr && is_slow(*now, servers, rate);
  }
  return retest;
}

std::vector<std::vector<ServerRate>> measure_again(Session& session, const MpiResult& result) {
  std::vector<std::vector<ServerRate>> again;
  const std::string& flavour = result.mpi->installed.flavour;
  for (std::uint32_t time = 1; time <= kRetests; ++time) {
    session.begin_step(fmt::format("file servers again, {}", flavour));
    const auto file = session.directory / fmt::format("servers-again-{}-{}.h5", time, flavour);
    const std::string text = servers_text(machine_campaign_on(session, *result.mpi));
    again.push_back(server_rates(run_campaign(session, text, "servers again", file, kSecondsOfServers)));
  }
  return again;
}

// The platform has its servers as fast as the fastest one; the suite with this one as it was measured takes longer.
double cost_of(Session& session, const MpiResult& result, const ServerRate& server) {
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

Diagnosis diagnosis_of(const ServerRate& server, const MpiResult& result, std::vector<Retest> retests) {
  std::ranges::stable_sort(retests, {}, [](const Retest& each) { return each.first / each.twin.front(); });
  Diagnosis diagnosis;
  diagnosis.id = "server.slow";
  diagnosis.component = "server " + server.name;
  diagnosis.places = {server.name.substr(0, server.name.find(':'))};
  diagnosis.mpi = result.mpi->installed.flavour;
  diagnosis.title = title_of(retests.front(), server.name);
  diagnosis.reference = Reference::kPeers;
  diagnosis.cost_basis = "replays of the suite with the server as measured, and as the fastest one is";
  diagnosis.confidence = Confidence::kGood;
  diagnosis.samples = 1 + kRetests;
  diagnosis.retests = std::move(retests);
  return diagnosis;
}

}  // namespace

std::vector<ServerRate> server_rates(const bench::Campaign& campaign) {
  using namespace hw::calibration;
  std::vector<ServerRate> rates;
  for (const ServerRates& each : fit_servers(cells_of(campaign, bench::cells::kStorageCalls)).servers)
    rates.push_back({each.name, each.write, each.read});
  return rates;
}

std::vector<ServerRate> suspected_servers(const std::vector<ServerRate>& servers) {
  std::vector<ServerRate> suspected;
  for (const ServerRate& server : servers)
    if (is_slow(server, servers, &ServerRate::write) || is_slow(server, servers, &ServerRate::read))
      suspected.push_back(server);
  return suspected;
}

std::vector<Diagnosis> slow_servers(Session& session) {
  std::vector<Diagnosis> found;
  for (const MpiResult& result : session.mpis) {
    const std::vector<ServerRate> suspected = suspected_servers(result.servers);
    if (suspected.empty() || !session.wants({"server.slow", "storage.slow"})) continue;
    const auto again = measure_again(session, result);
    for (const ServerRate& server : suspected) {
      std::vector<Retest> retests{retest_of(server, &ServerRate::write, "writing", result.servers, again),
                                  retest_of(server, &ServerRate::read, "reading", result.servers, again)};
      std::erase_if(retests, [](const Retest& each) { return !each.persists; });
      if (retests.empty()) continue;
      Diagnosis diagnosis = diagnosis_of(server, result, std::move(retests));
      try {
        diagnosis.cost_s = cost_of(session, result, server);
      } catch (const Error& error) {
        diagnosis.cost_basis = error.what();
      }
      found.push_back(std::move(diagnosis));
    }
  }
  return found;
}

}  // namespace plumbline::cli::validate
