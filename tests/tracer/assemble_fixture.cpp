#include "tests/tracer/assemble_fixture.hpp"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>

#include "base/team/forked.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::record::test {

using archive::Definitions;
using archive::Event;
using archive::EventKind;
using archive::test::OwnedEvent;

namespace {

std::map<std::string, std::string> contents(const std::filesystem::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    files[entry.path().lexically_relative(directory)] = text.str();
  }
  return files;
}

}  // namespace

void expect_equal_archives(const std::filesystem::path& one, const std::filesystem::path& other) {
  const std::map<std::string, std::string> these = contents(one), those = contents(other);
  for (const auto& [file, bytes] : these) {
    ASSERT_TRUE(those.contains(file)) << file;
    EXPECT_TRUE(those.at(file) == bytes) << file << " differs";
  }
  EXPECT_EQ(those.size(), these.size());
}

void expect_the_same_of_several(const std::vector<std::filesystem::path>& spools, const std::filesystem::path& archive,
                                const AssembleSummary& summary, const AssembleOptions& options,
                                std::uint32_t processes) {
  SCOPED_TRACE(fmt::format("{} processes", processes));
  const std::filesystem::path shared = archive.parent_path() / fmt::format("by-{}", processes);
  ForkedWorkers workers(processes);
  const AssembleSummary again = assemble(spools, shared, Overwrite::kYes, options, workers);
  EXPECT_EQ(again.remarks, summary.remarks);
  EXPECT_EQ(again.operations, summary.operations);
  EXPECT_EQ(again.message_bytes, summary.message_bytes);
  EXPECT_EQ(again.io_bytes, summary.io_bytes);
  EXPECT_EQ(again.in_flight, summary.in_flight);
  EXPECT_EQ(again.ranks, summary.ranks);
  expect_equal_archives(archive, shared);
  std::filesystem::remove_all(shared);
}

std::string brief(const OwnedEvent& owned, const Definitions& d) {
  const Event& e = owned.event;
  const std::string at = " @" + std::to_string(e.time.ps / 1000);
  const auto name = [&] { return d.strings[d.regions[e.region].name]; };
  const auto number = [](auto n) { return std::to_string(n); };
  const std::string message = number(e.peer) + ":" + number(e.tag) + " " + number(e.bytes) + "B";
  std::string text;
  switch (e.kind) {
    case EventKind::kEnter:
      text = "enter " + name() + at;
      break;
    case EventKind::kLeave:
      text = "leave " + name() + at;
      break;
    case EventKind::kMpiSend:
      text = "send " + message;
      break;
    case EventKind::kMpiRecv:
      text = "recv " + message;
      break;
    case EventKind::kMpiIsend:
      text = "isend " + message + " r" + number(e.request);
      break;
    case EventKind::kMpiIrecv:
      text = "irecv " + message + " r" + number(e.request);
      break;
    case EventKind::kMpiIrecvRequest:
      text = "post r" + number(e.request);
      break;
    case EventKind::kMpiRequestCancelled:
      text = "cancelled r" + number(e.request);
      break;
    case EventKind::kMpiIsendComplete:
      text = "sent r" + number(e.request);
      break;
    case EventKind::kMpiRequestTest:
      text = "test r" + number(e.request);
      break;
    case EventKind::kMpiCollectiveBegin:
      text = "collective";
      break;
    case EventKind::kMpiCollectiveEnd:
      text = "op " + number(static_cast<int>(e.collective)) + " comm " + number(e.comm) + " root " +
             number(static_cast<std::int32_t>(e.peer)) + " " + number(e.bytes) + "/" + number(e.received);
      break;
    case EventKind::kCommCreate:
      text = "new comm " + number(e.comm);
      break;
    case EventKind::kCommDestroy:
      text = "free comm " + number(e.comm);
      break;
    case EventKind::kIoCreateHandle:
      text = "open h" + number(e.io_handle) + at;
      break;
    case EventKind::kIoDestroyHandle:
      text = "close h" + number(e.io_handle);
      break;
    case EventKind::kIoSeek:
      text = "seek h" + number(e.io_handle) + " to " + number(e.offset);
      break;
    case EventKind::kIoOperationBegin:
      text = (e.io_mode == archive::IoMode::kWrite  ? "write h"
              : e.io_mode == archive::IoMode::kRead ? "read h"
                                                    : "flush h") +
             number(e.io_handle) + " " + number(e.bytes) + "B";
      break;
    case EventKind::kIoOperationComplete:
      text = "done h" + number(e.io_handle) + " " + number(e.bytes) + "B";
      break;
    case EventKind::kIoOperationIssued:
      text = "issued h" + number(e.io_handle);
      break;
    case EventKind::kMeasurementOnOff:
      text = (e.offset != 0 ? "on" : "off") + at;
      break;
    default:
      text = "kind " + number(static_cast<int>(e.kind));
      break;
  }
  for (const archive::AttributeValue& value : owned.attributes) {
    const archive::AttributeDefinition& a = d.attributes[value.attribute];
    std::string key = d.strings[a.name];
    if (key == archive::names::kOffset) continue;  // the absolute offset again
    text += " " + key.substr(key.rfind(':') + 1) + "=";
    if (a.type == archive::AttributeType::kUint64) text += number(value.u64);
    if (a.type == archive::AttributeType::kInt64) text += number(value.i64);
    if (a.type == archive::AttributeType::kString) text += d.strings[value.string];
  }
  return text;
}

}  // namespace plumbline::record::test
