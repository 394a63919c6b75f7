#include "replay/validate/witness/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "replay/validate/witness/parts.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr void (*kWitnesses[])(const NodeWitness&, Sightings&) = {see_busy_poll,     see_single_copy_refused,
                                                                  see_governor,      see_throttling,
                                                                  see_idle_states,   see_consumers,
                                                                  see_siblings,      see_clocksource,
                                                                  see_memory,        see_tcp,
                                                                  see_interfaces,    see_interrupts,
                                                                  see_packet_queues, see_pcie,
                                                                  see_coalescing,    see_disks,
                                                                  see_file_systems};

// A row that all nodes have alike is shown once, any other with the node's name.
void add_rows(const std::string& host, const std::vector<Datum>& rows, std::size_t nodes, Observation& into) {
  for (Datum row : rows) {
    if (nodes > 1) row.name = host + " " + row.name;
    into.rows.push_back(std::move(row));
  }
}

struct Seen {
  Sighting sighting;
  std::vector<std::pair<std::string, std::vector<Datum>>> of_nodes;
};

void add(const std::string& host, Sighting sighting, std::vector<Seen>& all) {
  const auto same = std::ranges::find_if(all, [&](const Seen& seen) {
    return seen.sighting.id == sighting.id && seen.sighting.component == sighting.component &&
           seen.sighting.text == sighting.text;
  });
  std::vector<Datum> rows = std::move(sighting.rows);
  Seen& seen = same != all.end() ? *same : all.emplace_back(Seen{std::move(sighting), {}});
  seen.of_nodes.emplace_back(host, std::move(rows));
}

Observation observation_of(const Seen& seen, std::size_t nodes) {
  Observation observation{seen.sighting.id, seen.sighting.text, seen.sighting.component, {}};
  const bool alike =
      std::ranges::all_of(seen.of_nodes, [&](const auto& node) { return node.second == seen.of_nodes.front().second; });
  if (alike) observation.rows = seen.of_nodes.front().second;
  for (const auto& [host, rows] : seen.of_nodes) {
    if (!alike) add_rows(host, rows, seen.of_nodes.size(), observation);
    if (nodes == 1 || seen.of_nodes.size() < nodes) observation.places.push_back(host);
  }
  return observation;
}

}  // namespace

double grown(const NodeWitness& node, const std::string& name) {
  const auto found = node.growth.find(name);
  return found == node.growth.end() ? 0 : found->second;
}

void add_growth(const NodeWitness& node, const std::string& name, std::string_view unit, std::vector<Datum>& rows) {
  if (grown(node, name) > 0) rows.push_back({name, fmt::format("{:.15g}", grown(node, name)), std::string(unit)});
}

void add_setting(const NodeWitness& node, const std::string& name, std::string_view unit, std::vector<Datum>& rows) {
  const std::string_view value = node.settings.value(name);
  if (!value.empty()) rows.push_back({name, std::string(value), std::string(unit)});
}

double number(const NodeWitness& node, const std::string& name) {
  const std::string_view text = node.settings.value(name);
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc{} && end == text.data() + text.size() ? value : 0;
}

std::vector<std::string> parts_between(const node::Facts& facts, std::string_view begin, std::string_view end) {
  std::vector<std::string> parts;
  for (auto fact = facts.facts.lower_bound(begin); fact != facts.facts.end() && fact->first.starts_with(begin); ++fact)
    if (fact->first.ends_with(end) && fact->first.size() > begin.size() + end.size())
      parts.push_back(fact->first.substr(begin.size(), fact->first.size() - begin.size() - end.size()));
  return parts;
}

std::vector<Observation> witness(const WitnessInput& input) {
  std::vector<Seen> all;
  for (const NodeWitness& node : input.nodes) {
    Sightings seen;
    for (const auto look : kWitnesses) look(node, seen);
    for (Sighting& sighting : seen) add(node.host, std::move(sighting), all);
  }
  std::vector<Observation> observations;
  for (const Seen& seen : all) observations.push_back(observation_of(seen, input.nodes.size()));
  see_mitigations(input, observations);
  see_noise(input, observations);
  see_transports(input, observations);
  see_settings(input, observations);
  return observations;
}

}  // namespace plumbline::replay::validate
