#include "cli/verbs/info/inner_summary.hpp"

#include <gmock/gmock.h>

#include "tests/support/temporary_directory.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::cli {
namespace {

using archive::Event;
using archive::EventKind;

// An archive of one rank, with these facts, and inside of one call of it `messages` of 1000 bytes and one pwrite; or
// with nothing inside.
std::string line_of(const std::map<std::string, std::string>& facts, int messages) {
  const test::TemporaryDirectory directory;
  archive::Definitions d;
  d.location_groups.push_back({d.strings.intern("MPI Rank 0"), archive::kUndefined, facts});
  d.locations.push_back({0, d.strings.intern("Master thread"), 0, 0, 0});
  for (const char* name : {"MPI_Barrier", "pwrite"})
    d.regions.push_back({d.strings.intern(name), archive::Role::kFunction,
                         name[0] == 'M' ? archive::Paradigm::kMpi : archive::Paradigm::kOther});
  d.comms.push_back({d.strings.intern("context 1"), {0}, {}, archive::kUndefined, false, messages > 0});
  archive::Writer writer(directory / "obs", Overwrite::kNo);
  if (messages > 0) {
    d.locations.push_back({8, d.strings.intern("Inside"), 0, 0, std::nullopt});
    d.locations.back().properties["PLUMBLINE::INSIDE_OF"] = "0";
    writer.begin_location(8);
    Event event;
    for (const std::uint32_t region : {0U, 1U}) {
      event.region = region;
      writer.write(event);
    }
    event.kind = EventKind::kMpiIsend;
    event.comm = 0;
    event.peer = 0;
    event.bytes = 1000;
    for (int i = 0; i < messages; ++i) {
      event.request = static_cast<std::uint64_t>(i);
      writer.write(event);
    }
    event.kind = EventKind::kLeave;
    for (const std::uint32_t region : {1U, 0U}) {
      event.region = region;
      writer.write(event);
    }
    writer.end_location();
  }
  writer.finish(d);
  archive::Reader reader(directory / "obs");
  return describe_inside(reader);
}

TEST(InsideSummary, SaysHowMuchThereIsAndWhatToldIt) {
  EXPECT_EQ(line_of({{"PLUMBLINE::META::internals", "on"}, {"PLUMBLINE::META::internals.by", "pml ob1"}}, 1234),
            "  inside: 1,234 messages, 1.234 MB; 1 POSIX call; by pml ob1\n");
}

TEST(InsideSummary, SaysWhyThereIsNothing) {
  EXPECT_EQ(line_of({{"PLUMBLINE::META::internals", "off: pml cm"}}, 0),
            "  inside: messages not recorded: off: pml cm\n");
}

TEST(InsideSummary, SaysNothingWhereNothingIsToldOfIt) { EXPECT_EQ(line_of({}, 0), ""); }

}  // namespace
}  // namespace plumbline::cli
