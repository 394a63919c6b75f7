#include "hwmodels/calibrate/storage/servers_fit.hpp"

#include <algorithm>

#include "bench/results/measurements.hpp"
#include "bench/results/storage_cells.hpp"
#include "hwmodels/calibrate/fit/line.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

using namespace bench::cells;

double rate_of(const Cells& cells) {
  const Typical time = typical(cells);
  if (time.seconds <= 0) return 0;
  return number(*cells.front(), kClients, 1) * static_cast<double>(cells.front()->bytes) / time.seconds;
}

// What a server delivers shows in the largest accesses: the others are calls more than bytes.
Cells largest(const Cells& cells) {
  std::uint64_t most = 0;
  for (const bench::Cell* cell : cells) most = std::max(most, cell->bytes);
  return select(cells, [most](const bench::Cell& cell) { return cell.bytes == most; });
}

Cells of_call(const Cells& cells, std::string_view call) {
  return select(cells, [call](const bench::Cell& cell) { return word(cell, kCall) == call; });
}

// The rate of the servers, by name.
std::map<std::string, double> single_rates(const Cells& cells) {
  std::map<std::string, Cells> of_server;
  for (const bench::Cell* cell : cells)
    if (number(*cell, kServers, 0) == 1) of_server[word(*cell, kServer)].push_back(cell);
  std::map<std::string, double> rates;
  for (const auto& [name, each] : of_server) rates[name] = rate_of(largest(each));
  return rates;
}

// Of two that differ by so much the faster one shows what both could do: there is no centre.
constexpr double kApart = 1.5;

void summarise_rates(const std::map<std::string, double>& rates, double& centre, double& spread) {
  std::vector<double> values;
  for (const auto& [name, rate] : rates) values.push_back(rate);
  if (values.empty()) return;
  const auto [least, most] = std::ranges::minmax(values);
  if (values.size() == 2 && most > kApart * least) {
    centre = most;
    return;
  }
  centre = median(values);
  spread = spread_of_median(values);
}

}  // namespace

ServersFit fit_servers(const Cells& cells) {
  ServersFit fit;
  const Cells writes = of_call(cells, bench::kDeviceWrite), reads = of_call(cells, bench::kDeviceRead);
  const std::map<std::string, double> write = single_rates(writes), read = single_rates(reads);
  std::map<std::string, ServerRates> servers;
  for (const auto& [name, rate] : write) servers[name].write = rate;
  for (const auto& [name, rate] : read) servers[name].read = rate;
  for (auto& [name, rates] : servers) {
    rates.name = name;
    fit.servers.push_back(rates);
  }
  summarise_rates(write, fit.write, fit.write_spread);
  summarise_rates(read, fit.read, fit.read_spread);
  fit.samples =
      samples_of(select(cells, [](const bench::Cell& cell) { return number(cell, kServers, 0) == 1; })).size();
  const auto all = static_cast<double>(fit.servers.size());
  const Cells together = largest(select(writes.empty() ? reads : writes,
                                        [all](const bench::Cell& cell) { return number(cell, kServers, 0) == all; }));
  const double one = writes.empty() ? fit.read : fit.write;
  if (all > 1 && !together.empty() && one > 0) fit.scaling = rate_of(together) / one;
  return fit;
}

std::optional<MetadataFit> fit_metadata(const Cells& cells) {
  std::map<double, Cells> by_clients;
  for (const bench::Cell* cell : cells) by_clients[number(*cell, kClients, 1)].push_back(cell);
  std::vector<Point> points;
  MetadataFit fit;
  for (const auto& [clients, each] : by_clients) {
    const Typical time = typical(each);
    if (time.seconds <= 0) continue;
    points.push_back({clients, time.seconds});
    fit.spread = std::max(fit.spread, time.spread);
    fit.samples += time.samples;
  }
  if (points.empty()) return std::nullopt;
  if (points.size() == 1) {
    fit.alone_s = points.front().value;
    return fit;
  }
  const Line line = fit_line(points);
  fit.server_s = line.slope;
  fit.alone_s = line.intercept;
  fit.spread = std::max(fit.spread, largest_deviation(line, points));
  return fit;
}

}  // namespace plumbline::hw::calibration
