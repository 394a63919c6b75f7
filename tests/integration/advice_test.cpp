// A finding costs what following its advice saves: both held against each other on real MPI, quiet and beside programs
// that take the cores away.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

// Processes that compute until the end of this object.
class BusyLoops {
 public:
  explicit BusyLoops(int count) {
    for (int i = 0; i < count; ++i) {
      const pid_t pid = fork();
      if (pid == 0) {
        alarm(120);  // whatever happens to us
        for (const std::atomic<bool> busy{true}; busy.load();) {
        }
      }
      if (pid > 0) processes_.push_back(pid);
    }
  }
  ~BusyLoops() {
    for (const pid_t pid : processes_) kill(pid, SIGKILL);
    for (const pid_t pid : processes_) waitpid(pid, nullptr, 0);
  }
  BusyLoops(const BusyLoops&) = delete;
  BusyLoops& operator=(const BusyLoops&) = delete;

 private:
  std::vector<pid_t> processes_;
};

struct Calls {
  double seconds = 0, number = 0;
  double each() const { return number > 0 ? seconds / number : 0; }
};

// All calls, judged or not.
Calls all_calls(const std::vector<nlohmann::json>& rows) {
  Calls calls;
  for (const nlohmann::json& row : rows) {
    calls.seconds += row["observed_s"].get<double>() + row["not_judged_s"].get<double>();
    calls.number += row["operations"].get<double>();
  }
  return calls;
}

// The judged calls of the rank that spent most time in them.
Calls busiest_rank(const std::vector<nlohmann::json>& rows) {
  std::map<int, Calls> ranks;
  for (const nlohmann::json& row : rows)
    for (const nlohmann::json& part : row["ranks"]) {
      Calls& calls = ranks[part["rank"].get<int>()];
      calls.seconds += part["observed_s"].get<double>();
      calls.number += part["operations"].get<double>();
    }
  Calls most;
  for (const auto& [rank, calls] : ranks)
    if (calls.seconds > most.seconds) most = calls;
  return most;
}

// What a finding says is lost, and what its advice saves, in seconds.
struct Held {
  double cost = 0, most = 0;  // "17 ms, up to 100 ms if data was on the device"
  Calls slow;                 // of the busiest rank, with the hints that cost
  double fixed_each = 0;
  std::string answer;

  double saved() const { return (slow.each() - fixed_each) * slow.number; }
  bool agree() const { return cost > 0 && saved() > cost / 2 && saved() < most * 2; }
};

// With a device that is no slower than the cache: behind a slow one the lost time may be that of the device, so where
// the machine happens to be fast nothing would be found at all.
std::string platform_with_fast_device() {
  std::string platform = one_node_platform();
  const std::string slow = R"(<device-write call="100us" rate="200MB/s"/>)";
  platform.replace(platform.find(slow), slow.size(), R"(<device-write call="100us" rate="2GB/s"/>)");
  return platform;
}

class Advice : public testing::TestWithParam<std::tuple<Flavour, int>> {
 protected:
  void SetUp() override {
    if (!flavour().installed()) GTEST_SKIP() << "mpirun." << flavour().name << " is not installed";
    std::ofstream(directory_ / "platform.xml") << platform_with_fast_device();
  }

  static const Flavour& flavour() { return std::get<0>(GetParam()); }
  static int busy_loops() { return std::get<1>(GetParam()); }

  CommandResult plumbline(const std::string& arguments) {
    return run_command(kPlumbline + " " + arguments, directory_.path());
  }

  // Both MPIs write through ROMIO, which the hints are of.
  nlohmann::json report(const std::string& name, const std::string& hints) {
    const std::string romio = flavour().name == "openmpi" ? " --mca io romio321" : "";
    const std::string program = flavour().example("jacobi") +
                                " --rows 8192 --columns 32 --iterations 20 --every 5 --file " + name + ".dat" + hints;
    const CommandResult recorded =
        plumbline("record --force -o " + name + " -- " + flavour().launcher + romio + " -n 2 " + program);
    EXPECT_EQ(recorded.status, 0) << text_of(recorded);
    const CommandResult replayed = plumbline("replay " + name + " -p platform.xml -o " + name + "-expected --force");
    EXPECT_EQ(replayed.status, 0) << text_of(replayed);
    compared_ =
        plumbline("compare " + name + " " + name + "-expected --threshold 0.001 --force --json " + name + ".json");
    return nlohmann::json::parse(std::ifstream(directory_ / (name + ".json")));
  }

  // Of the call that writes the checkpoint.
  static std::vector<nlohmann::json> rows_of(const nlohmann::json& report) {
    std::vector<nlohmann::json> rows;
    for (const nlohmann::json& row : report["rows"])
      if (row["call"] == "MPI_File_write_all") rows.push_back(row);
    return rows;
  }

  // Records with the hints that cost. The time of a call and what the finding says of it replace those of a slower
  // recording.
  void with_the_hints(Held& held) {
    const nlohmann::json slow = report("slow", " --hint romio_cb_write=disable --hint romio_ds_write=disable");
    const auto finding = std::ranges::find_if(
        slow["findings"], [](const nlohmann::json& each) { return each["call"] == "MPI_File_write_all"; });
    if (finding == slow["findings"].end()) {  // nobody can tell what was lost
      if (held.cost == 0) held.answer = text_of(compared_);
      return;
    }
    EXPECT_EQ((*finding)["reference"], "structure") << text_of(compared_);
    // Where the machine is in use another finding may come first in the answer.
    EXPECT_NE((*finding)["advice"].dump().find("the hint romio_cb_write=disable"), std::string::npos)
        << text_of(compared_);
    const Calls calls = busiest_rank(rows_of(slow));
    if (held.cost > 0 && calls.each() >= held.slow.each()) return;
    held.slow = calls;
    held.cost = (*finding)["cost_s"].get<double>();
    held.most = busy_loops() > 0 ? std::max(held.cost, (*finding)["cost_on_device_s"].get<double>()) : held.cost;
    held.answer = text_of(compared_);
  }

  // Records as the advice says.
  void without_them(Held& held) {
    const double each = all_calls(rows_of(report("fixed", ""))).each();
    if (held.fixed_each == 0 || each < held.fixed_each) held.fixed_each = each;
  }

  TemporaryDirectory directory_;
  CommandResult compared_;
};

// What the model cannot know is how long ranks are kept from the cores. That only adds to a call, so that the fastest
// recordings of either kind are held against each other, until they agree or there are six of each. Beside loops the
// slow calls may have waited for a device as well, for all that can be told: the finding says from where to where.
TEST_P(Advice, SavesWhatTheFindingCosts) {
  const BusyLoops others(busy_loops());
  Held held;
  for (int recordings = 0; recordings < 6 && !held.agree(); ++recordings) {
    with_the_hints(held);
    without_them(held);
  }
  ASSERT_GT(held.cost, 0) << "nothing was found\n" << held.answer;
  RecordProperty("most_per_cost_percent", static_cast<int>(100 * held.most / held.cost));
  RecordProperty("cost_per_saved_percent", static_cast<int>(100 * held.cost / held.saved()));
  EXPECT_GT(held.saved(), held.cost / 2) << held.answer;
  EXPECT_LT(held.saved(), held.most * 2) << held.answer;
}

std::string name_of(const testing::TestParamInfo<Advice::ParamType>& info) {
  const auto& [flavour, loops] = info.param;
  return flavour.name + (loops == 0 ? "_quiet" : "_beside_busy_loops");
}

INSTANTIATE_TEST_SUITE_P(Mpi, Advice, testing::Combine(testing::ValuesIn(flavours()), testing::Values(0, 2)), name_of);

}  // namespace
}  // namespace plumbline::test
