#pragma once
// The witnesses, one function for each; inside of replay/validate only.

#include <string>
#include <string_view>
#include <vector>

#include "replay/validate/validation.hpp"
#include "replay/validate/witness/witness_input.hpp"

namespace plumbline::replay::validate {

// What one node shows. `text` is the same for all nodes that show it; what differs is in the rows.
struct Sighting {
  std::string id, text, component;
  std::vector<Datum> rows;
};
using Sightings = std::vector<Sighting>;

void see_busy_poll(const NodeWitness& node, Sightings& seen);
void see_single_copy_refused(const NodeWitness& node, Sightings& seen);
void see_governor(const NodeWitness& node, Sightings& seen);
void see_throttling(const NodeWitness& node, Sightings& seen);
void see_idle_states(const NodeWitness& node, Sightings& seen);
void see_consumers(const NodeWitness& node, Sightings& seen);
void see_siblings(const NodeWitness& node, Sightings& seen);
void see_clocksource(const NodeWitness& node, Sightings& seen);
void see_memory(const NodeWitness& node, Sightings& seen);
void see_tcp(const NodeWitness& node, Sightings& seen);
void see_interfaces(const NodeWitness& node, Sightings& seen);
void see_packet_queues(const NodeWitness& node, Sightings& seen);
void see_interrupts(const NodeWitness& node, Sightings& seen);
void see_pcie(const NodeWitness& node, Sightings& seen);
void see_coalescing(const NodeWitness& node, Sightings& seen);
void see_disks(const NodeWitness& node, Sightings& seen);
void see_file_systems(const NodeWitness& node, Sightings& seen);

// Of the nodes together.
void see_mitigations(const WitnessInput& input, std::vector<Observation>& into);
void see_noise(const WitnessInput& input, std::vector<Observation>& into);
// Of the library, by each MPI.
void see_settings(const WitnessInput& input, std::vector<Observation>& into);
void see_transports(const WitnessInput& input, std::vector<Observation>& into);

// What a counter has grown by; 0: not at all, or it is not known.
double grown(const NodeWitness& node, const std::string& name);

// Adds a row where the counter has grown.
void add_growth(const NodeWitness& node, const std::string& name, std::string_view unit, std::vector<Datum>& rows);

// Adds a row where the fact is known.
void add_setting(const NodeWitness& node, const std::string& name, std::string_view unit, std::vector<Datum>& rows);

// A number of a setting; 0 where it is not known or none.
double number(const NodeWitness& node, const std::string& name);

// What stands between `begin` and `end` in names of settings: "eth0" of "net.eth0.mtu_bytes". Each once, in order.
std::vector<std::string> parts_between(const node::Facts& facts, std::string_view begin, std::string_view end);

}  // namespace plumbline::replay::validate
