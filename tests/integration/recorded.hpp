#pragma once
// Programs of tests/tracer/programs recorded by the command, on each MPI; for tests of how a recording ends.

#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/integration/support.hpp"
#include "tests/support/background.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::test {

template <class Parameter>
class RecordedWith : public testing::TestWithParam<Parameter> {
 protected:
  virtual const Flavour& flavour() const = 0;

  void SetUp() override {
    if (!flavour().installed()) GTEST_SKIP() << "mpirun." << flavour().name << " is not installed";
  }

  std::string program(const std::string& name) const {
    return std::string(BUILD_DIRECTORY) + "/bin/traced/" + flavour().name + "/" + name;
  }
  // Open MPI as root; both in a directory of their own, so that no other test's leftovers are told of.
  std::string environment() const { return "env TMPDIR=" + directory_.path().string() + " "; }
  std::string record(const std::string& options, int ranks, const std::string& program) const {
    return environment() + kPlumbline + " record " + options + " -o obs -- " + flavour().run(ranks, program);
  }
  CommandResult run(const std::string& command) const { return run_command(command, directory_.path()); }

  // PLUMBLINE::END of each rank.
  std::vector<std::string> ends(const std::filesystem::path& archive) const {
    const archive::Reader reader(archive);
    std::vector<std::string> result;
    for (const archive::LocationGroup& group : reader.definitions().location_groups)
      if (const auto end = group.properties.find(archive::names::kPropertyEnd); end != group.properties.end())
        result.push_back(end->second);  // a node has none
    return result;
  }
  std::vector<std::string> ends() const { return ends(directory_ / "obs"); }

  // Waits until `condition` holds; false when that takes too long, or when `what` has ended before.
  template <class Condition>
  static bool wait_until(Background& what, const Condition& condition) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!condition()) {
      if (what.has_ended() || std::chrono::steady_clock::now() > limit) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
  }

  TemporaryDirectory directory_;
};

class Recorded : public RecordedWith<Flavour> {
 protected:
  const Flavour& flavour() const override { return GetParam(); }
};

// The call that a spool's first thread is in; empty: in none.
inline std::string call_in_flight(const spool::Spool& spool) {
  std::map<std::uint16_t, std::string> names;
  std::string latest;
  spool.for_each(0, [&](const spool::Record& record) {
    if (record.function == PL_DEF_FUNCTION)
      names[static_cast<std::uint16_t>(record.payload[0])] = spool::text_of(record.payload.subspan(1));
    if (record.function >= PL_DEFINITIONS || names[record.function].starts_with("(inner")) return;
    latest = record.done ? "" : names[record.function];
  });
  return latest;
}

// The calls that the processes of a spool directory are in, sorted.
inline std::vector<std::string> calls_in_flight(const std::filesystem::path& spools) {
  std::vector<std::string> calls;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(spools, gone)) {
    if (entry.path().extension() != ".spool") continue;
    try {
      calls.push_back(call_in_flight(spool::Spool(entry.path())));
    } catch (const std::exception&) {
      // not yet one
    }
  }
  std::sort(calls.begin(), calls.end());
  return calls;
}

}  // namespace plumbline::test
