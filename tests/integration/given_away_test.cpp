// Requests that leave the program's hands before it has seen their end (programs/given_away.c), from the recording to
// the comparison.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "tests/integration/support.hpp"
#include "tracer/archive/inside.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::test {
namespace {

using archive::EventKind;
using testing::HasSubstr;
using testing::Not;

struct Case {
  std::string name;
  int completed_receives;  // that the archive tells of
};

// In place of GoogleTest's dump of bytes.
void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class GivenAway : public testing::TestWithParam<std::tuple<Flavour, Case>> {
 protected:
  const Flavour& flavour() const { return std::get<0>(GetParam()); }

  void SetUp() override {
    if (!flavour().installed()) GTEST_SKIP() << "mpirun." << flavour().name << " is not installed";
  }

  std::map<EventKind, int> events_of_calls() {
    archive::Reader reader(directory_ / "obs");
    std::map<EventKind, int> events;
    for (std::uint32_t i = 0; i < reader.definitions().locations.size(); ++i)
      if (reader.definitions().locations[i].otf2_id < archive::kInsideLocation)
        reader.read(i, [&](const archive::Event& event) { ++events[event.kind]; });
    return events;
  }

  TemporaryDirectory directory_;
};

TEST_P(GivenAway, AreRecordedReplayedAndCompared) {
  const Case& given = std::get<1>(GetParam());
  std::ofstream(directory_ / "platform.xml") << one_node_platform();
  for (const int bytes : {100, 1'000'000}) {
    SCOPED_TRACE(fmt::format("{} of {} B", given.name, bytes));
    const std::string program =
        fmt::format("{}/bin/traced/{}/given_away {} {}", BUILD_DIRECTORY, flavour().name, given.name, bytes);
    const auto run = [&](const std::string& command) { return run_command(kPlumbline + command, directory_.path()); };
    const CommandResult recorded = run(" record --force -o obs -- " + flavour().run(2, program));
    ASSERT_EQ(recorded.status, 0) << text_of(recorded);
    EXPECT_THAT(recorded.err, Not(HasSubstr("not seen posted")));
    EXPECT_EQ(events_of_calls()[EventKind::kMpiIrecv], given.completed_receives);
    const CommandResult told = run(" info obs");
    EXPECT_EQ(told.status, 0) << text_of(told);
    const CommandResult replayed = run(" replay obs -p platform.xml -o exp --force");
    ASSERT_EQ(replayed.status, 0) << text_of(replayed);
    const CommandResult compared = run(" compare obs exp");
    EXPECT_THAT(compared.status, testing::AnyOf(0, 1, 5)) << text_of(compared);
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<Flavour, Case>>& info) {
  std::string name = std::get<0>(info.param).name + "_" + std::get<1>(info.param).name;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Mpi, GivenAway,
                         testing::Combine(testing::ValuesIn(flavours()),
                                          testing::Values(Case{"free-receive", 0}, Case{"free-receive-ssend", 0},
                                                          Case{"free-any-receive", 0}, Case{"get-status-free", 1},
                                                          Case{"get-status-wait", 1}, Case{"get-status-test", 1},
                                                          Case{"never-waited", 0}, Case{"free-send", 0},
                                                          Case{"free-persistent", 0}, Case{"cancel-free", 0},
                                                          Case{"free-then-receive", 0}, Case{"barrier-not-waited", 0},
                                                          Case{"reduction-not-waited", 0},
                                                          Case{"free-persistent-send", 0}, Case{"get-status-twice", 1},
                                                          Case{"completed-unrecorded", 0}, Case{"put-not-waited", 0})),
                         name_of);

}  // namespace
}  // namespace plumbline::test
