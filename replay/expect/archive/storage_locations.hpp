#pragma once
// What the file servers of the platform did in the expected run: metrics of each server, its cache and its device, and
// the accesses of each device as I/O records, on locations of their own (docs/reference/trace-format-expected.md).

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hwmodels/usage/use_history.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::replay {

class StorageLocations {
 public:
  // Adds the locations of all that was ever used, and the handles of the files that a device accessed; before
  // Writer::declare(). The record must outlive it.
  StorageLocations(archive::Definitions& definitions, const hw::StorageRecord& record);

  // Writes their events. Returns the time of the last one.
  Time write(archive::Writer& writer) const;

 private:
  struct Place {
    std::uint64_t id;  // OTF2's number of the location
    std::size_t server;
  };

  template <class Use>
  std::vector<Place> add_metrics(archive::Definitions& d, std::span<const std::string> names,
                                 const std::optional<hw::StepHistory<Use>>& history, std::uint64_t part,
                                 std::uint32_t& metric);
  void add_accesses(archive::Definitions& d);
  template <class Use>
  void write_metrics(archive::Writer& writer, std::span<const Place> places,
                     const std::optional<hw::StepHistory<Use>>& history, std::uint32_t metric, Time& last) const;
  void write_accesses(archive::Writer& writer, const Place& place, Time& last) const;

  const hw::StorageRecord& record_;
  std::vector<Place> servers_, caches_, devices_, accesses_;
  std::uint32_t server_metric_ = 0, cache_metric_ = 0, device_metric_ = 0;
  std::uint32_t offset_ = 0;                                                // attribute
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> handles_;  // by server and file
};

}  // namespace plumbline::replay
