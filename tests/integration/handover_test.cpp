// Requests that one thread posts and another completes, from the recording to the replay.

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

class Handover : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
  }

  TemporaryDirectory directory_;
};

TEST_P(Handover, IsWholeInTheArchiveAndReplayed) {
  constexpr int kPosts = 200;  // of each kind, by both threads together
  const std::string program = fmt::format("{}/bin/traced/{}/handover", BUILD_DIRECTORY, GetParam().name);
  const CommandResult recorded =
      run_command(kPlumbline + " record -o obs -- " + GetParam().run(1, program), directory_.path());
  ASSERT_EQ(recorded.status, 0) << text_of(recorded);
  if (recorded.out.starts_with("no threads")) GTEST_SKIP() << "this MPI grants no MPI_THREAD_MULTIPLE";
  EXPECT_EQ(recorded.out, "wrong 0\n");
  EXPECT_THAT(recorded.err, Not(HasSubstr("not seen posted")));

  archive::Reader reader(directory_ / "obs");
  std::map<EventKind, int> events;
  for (std::uint32_t i = 0; i < reader.definitions().locations.size(); ++i)
    if (reader.definitions().locations[i].otf2_id < archive::kInsideLocation)
      reader.read(i, [&](const archive::Event& event) { ++events[event.kind]; });
  for (const EventKind kind :
       {EventKind::kMpiIrecvRequest, EventKind::kMpiIrecv, EventKind::kMpiIsend, EventKind::kMpiIsendComplete,
        EventKind::kNonBlockingCollectiveRequest, EventKind::kNonBlockingCollectiveComplete})
    EXPECT_EQ(events[kind], kPosts) << static_cast<int>(kind);

  std::ofstream(directory_ / "platform.xml") << one_node_platform();
  const CommandResult replayed = run_command(kPlumbline + " replay obs -p platform.xml --details", directory_.path());
  EXPECT_EQ(replayed.status, 0) << text_of(replayed);
  EXPECT_THAT(replayed.out, HasSubstr("the calls of 1 other thread of the ranks are not replayed"));
  EXPECT_THAT(replayed.out, HasSubstr("waits for what another thread has started"));
}

INSTANTIATE_TEST_SUITE_P(Mpi, Handover, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

}  // namespace
}  // namespace plumbline::test
