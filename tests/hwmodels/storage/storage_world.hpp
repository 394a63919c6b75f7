#pragma once
// Clients driven by hand on a network with file servers, and when their calls began and ended.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "hwmodels/storage/file_servers.hpp"

namespace plumbline::hw::storage {

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

class StorageWorld {
 public:
  explicit StorageWorld(const Platform& platform)
      : topology_(platform),
        network_(topology_, platform.packets),
        servers_(platform, network_, static_cast<std::uint32_t>(topology_.components().size())) {}

  // Runs until nothing moves. `done(request, now)` may begin other calls.
  void run(const std::function<void(std::uint32_t request, Time now)>& done = {}) {
    std::vector<Completion> completions;
    report(completions, {}, done);
    while (!queue_.empty()) {
      const sim::Event event = queue_.pop();
      if (watch_) watch_(event.at);
      end_ = event.at;
      handle(event);
      report(completions, event.at, done);
    }
    EXPECT_EQ(network_.messages_under_way(), 0U);
    EXPECT_EQ(servers_.requests_under_way(), 0U);
    expect_all_memory_free();
  }

  // Before anything happens at a time.
  void watch(std::function<void(Time now)> watch) { watch_ = std::move(watch); }

  FileServers& servers() { return servers_; }
  sim::EventQueue& queue() { return queue_; }
  const StoreAndForward& network() const { return network_; }
  Time end() const { return end_; }  // of the last event
  Time done_at(std::uint32_t request) const { return done_.at(request).first; }
  Bytes bytes_of(std::uint32_t request) const { return done_.at(request).second; }

 private:
  void handle(const sim::Event& event) {
    if (event.component >= topology_.components().size()) {
      servers_.handle(event, queue_);
      return;
    }
    notes_.clear();
    network_.handle(event, queue_, notes_);
    for (const Notification& note : notes_) servers_.notified(note, event.at, queue_);
  }

  void report(std::vector<Completion>& completions, Time now, const std::function<void(std::uint32_t, Time)>& done) {
    for (servers_.take_completions(completions); !completions.empty(); servers_.take_completions(completions)) {
      const std::vector<Completion> present = std::exchange(completions, {});
      for (const Completion& completion : present) {
        EXPECT_TRUE(done_.emplace(completion.request, std::pair{now, completion.bytes}).second) << "done twice";
        if (done) done(completion.request, now);
      }
    }
  }

  void expect_all_memory_free() const {
    for (std::uint32_t i = 0; i < servers_.server_count(); ++i) {
      const DataServer& server = servers_.server(i);
      EXPECT_EQ(server.use().parked.count(), 0) << i;
      if (server.parameters().cache.policy == CachePolicy::kPageCache) continue;  // keeps what is dirty
      EXPECT_EQ(server.cache().free_memory(), server.cache().capacity()) << i;
      EXPECT_EQ(server.cache().waiting(), 0U) << i;
    }
  }

  Topology topology_;
  StoreAndForward network_;
  FileServers servers_;
  sim::EventQueue queue_;
  std::vector<Notification> notes_;
  std::map<std::uint32_t, std::pair<Time, Bytes>> done_;
  Time end_;
  std::function<void(Time)> watch_;
};

// PIOsimHD's PVSDisk: 7200 turns a minute.
inline Device pvs_disk() {
  Device device;
  device.disk = HardDisk{};
  device.disk->average_seek.value = milliseconds(9);
  device.disk->track_to_track.value = milliseconds(1);
  device.disk->turn.value = duration_from_seconds(60.0 / 7200);
  device.disk->close = {1'000'000};
  device.disk->rate.value = {96 * kMiB};
  return device;
}

}  // namespace plumbline::hw::storage
