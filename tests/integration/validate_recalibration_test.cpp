// A machine that is slower than when it was calibrated, as a virtual machine beside other guests.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files/output.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

using nlohmann::json;

constexpr char kMessages[] = R"([[entry]]
name = "messages"
cells = ["ping_pong:bytes=64KiB,repetitions=4000", "ping_pong:bytes=256KiB,repetitions=1000"]
)";

// So many that the platform stays faster than the machine where others had the processors during its calibration, which
// has made it four times as slow.
constexpr int kTimesAsFast = 16;

// The calibration of a machine whose ranks exchange messages in a fraction of the time, and who is sure of it.
void make_faster(const std::filesystem::path& file) {
  hw::Platform platform = hw::read_platform(file);
  const auto faster = [](auto& rate) { rate = {{rate.value.count * kTimesAsFast}, 0, rate.source}; };
  for (hw::MessageRange& range : platform.inside.ranges) {
    for (hw::Parameter<Duration>* const each : {&range.send, &range.receive, &range.latency})
      *each = {{each->value.ps / kTimesAsFast}, 0, each->source};
    for (auto* const each : {&range.send_rate, &range.receive_rate})
      if (*each) faster(**each);
  }
  for (hw::Node& node : platform.nodes) {
    faster(node.memory_rate);
    if (!node.sockets) continue;
    for (auto* const each :
         {&node.sockets->rate, &node.sockets->local_rate, &node.sockets->link_rate, &node.sockets->interconnect_rate})
      faster(*each);
  }
  write_file(file, hw::to_xml(platform), Overwrite::kYes);
}

// Or that it cannot be told, where others had the processors meanwhile.
bool says_that_it_was_slower(const json& report) {
  if (!report.is_object() || !report["diagnoses"].empty()) return false;
  for (const json& check : report["checks"])
    if (check["id"] == "suite.slower" && check["state"] == "not judged") {
      const std::string reason = check["reason"];
      return reason == "the machine was slower than when it was calibrated" ||
             reason.find("descheduled") != reason.npos;
    }
  return false;
}

TEST(Recalibration, SaysThatTheMachineIsSlowerAndAccusesNoCall) {
  const Flavour mpi = flavours().back();
  if (!mpi.installed()) GTEST_SKIP() << mpi.name << " is not installed";
  const TemporaryDirectory directory;
  std::ofstream(directory / "suite.toml") << kMessages;
  const std::string command =
      fmt::format("{} validate --quick --suite suite.toml --only suite.slower --mpi {} -o out", kPlumbline, mpi.name);
  const CommandResult first = run_command(command, directory.path().string(), 180);
  const auto platform = directory.path() / "out" / fmt::format("platform-{}.xml", mpi.name);
  ASSERT_TRUE(std::filesystem::exists(platform)) << text_of(first);
  make_faster(platform);

  // A machine that changes between a repetition and the calibration beside it agrees the next time.
  constexpr int kMostAttempts = 3;
  CommandResult second;
  json report;
  for (int attempt = 0; attempt < kMostAttempts && !says_that_it_was_slower(report); ++attempt) {
    second = run_command(command + " --resume", directory.path().string(), 180);
    std::ifstream file(directory / "out/report.json");
    report = json::parse(file, nullptr, false);
  }
  EXPECT_TRUE(says_that_it_was_slower(report)) << text_of(second) << report["checks"] << report["observations"];
  EXPECT_TRUE(report["diagnoses"].empty()) << report["diagnoses"];
  EXPECT_EQ(second.status, 5) << text_of(second);
}

}  // namespace
}  // namespace plumbline::test
