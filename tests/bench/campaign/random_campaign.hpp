#pragma once
// Campaigns of any content.

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "bench/results/campaign.hpp"

namespace plumbline::bench::test {

using Random = std::mt19937_64;

inline std::string random_text(Random& random) {
  static const std::vector<std::string> kTexts{"",    "bcast", "nöde1", "0-1,4", std::string(300, 'x'), "a,\"b\"\n<&>",
                                               "mpi", "[1]",   "日本",  " ",     "hint.cb_nodes"};
  return kTexts[random() % kTexts.size()];
}

inline double random_number(Random& random) {
  return std::uniform_real_distribution<>(-1, 1)(random) * std::pow(10.0, static_cast<int>(random() % 40) - 20);
}

template <class T, class Make>
std::vector<T> some(Random& random, std::size_t most, Make make) {
  std::vector<T> values(random() % (most + 1));
  for (T& value : values) value = make();
  return values;
}

inline Run random_run(Random& random) {
  Run run;
  const auto text = [&] { return random_text(random); };
  const auto small = [&] { return static_cast<std::uint32_t>(random() % 9); };
  const auto number = [&] { return random_number(random); };
  run.mpi = text();
  run.library = text();
  run.nodes = small();
  run.per_node = static_cast<std::uint32_t>(random());
  run.hosts = some<std::string>(random, 5, text);
  run.node_of = some<std::uint32_t>(random, 5, small);
  run.bindings = some<std::string>(random, 5, text);
  run.created = text();
  run.load_before = number();
  run.stolen = number();
  run.involuntary_switches = some<double>(random, 5, number);
  run.finished = random() % 2 == 0;
  run.disturbances = some<std::string>(random, 3, text);
  run.boots = some<std::string>(random, 5, text);
  run.socket_of = some<std::uint32_t>(random, 5, [&] { return random() % 3 == 0 ? kNoSocket : small(); });
  return run;
}

inline Cell random_cell(Random& random, std::uint32_t runs) {
  Cell cell;
  const auto number = [&] { return random_number(random); };
  cell.operation = random_text(random);
  cell.implementation = random_text(random);
  cell.bytes = random() >> (random() % 64);
  cell.run = static_cast<std::uint32_t>(random() % runs);
  cell.position = static_cast<std::uint32_t>(random());
  cell.ranks = some<std::uint32_t>(random, 4, [&] { return static_cast<std::uint32_t>(random() % 8); });
  cell.in_flight = static_cast<std::uint32_t>(random() % 5);
  for (std::uint64_t i = random() % 4; i > 0; --i) cell.numbers[random_text(random)] = number();
  for (std::uint64_t i = random() % 4; i > 0; --i) cell.words[random_text(random)] = random_text(random);
  cell.timing = random_text(random);
  cell.isolation = random_text(random);
  cell.stop = random_text(random);
  cell.reached = random() % 2 == 0;
  cell.clock_bound_s = number();
  cell.window_s = number();
  cell.began_s = number();
  cell.seconds = some<double>(random, random() % 9 == 0 ? 3000 : 40, number);
  for (std::size_t i = 0; i < cell.seconds.size(); ++i) cell.flags.push_back(static_cast<std::uint8_t>(random() % 8));
  if (random() % 2 == 0)
    for (std::size_t i = 0; i < 2 * cell.seconds.size(); ++i) cell.of_ranks.push_back(number());
  return cell;
}

inline Campaign random_campaign(Random& random) {
  Campaign campaign;
  campaign.environment.host = random_text(random);
  campaign.environment.cores = static_cast<std::uint32_t>(random() % 100);
  campaign.environment.load_before = random_number(random);
  campaign.text = random_text(random);
  campaign.seed = random();
  campaign.notes = some<std::string>(random, 4, [&] { return random_text(random); });
  for (std::uint64_t i = random() % 5; i > 0; --i) campaign.runs.push_back(random_run(random));
  const auto runs = static_cast<std::uint32_t>(campaign.runs.size());
  if (runs > 0)
    for (std::uint64_t i = random() % 40; i > 0; --i) campaign.cells.push_back(random_cell(random, runs));
  return campaign;
}

}  // namespace plumbline::bench::test
