// What ranks write while they measure, and what is made of it when they were stopped at any moment.

#include "bench/results/stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"
#include "tests/bench/sample_stream.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

using test::sample_cell;
using test::sample_run;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Stream : public ::testing::Test {
 protected:
  std::vector<std::uint32_t> read(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    campaign_ = {};
    return read_stream(path_, campaign_);
  }

  std::string fault_in(const std::string& bytes) {
    try {
      read(bytes);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  const plumbline::test::TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_ / "stream";
  const std::string whole_ = test::sample_stream(directory_ / "sample");
  Campaign campaign_;
};

TEST_F(Stream, ReadsBackWhatWasWritten) {
  EXPECT_THAT(read(whole_), ElementsAre(0, 2));
  EXPECT_EQ(campaign_.runs, std::vector{sample_run()});
  EXPECT_EQ(campaign_.cells, (std::vector{sample_cell(0), sample_cell(1), sample_cell(2)}));
  EXPECT_THAT(campaign_.notes, ElementsAre("line\nfeed", "request 2: ?\xEF\xBF\xBD" /* U+FFFD */));
}

// As ranks wrote it before they told their sockets.
TEST_F(Stream, ReadsARunThatDoesNotSayWhichSocketsItsRanksAreOn) {
  const std::string field = ",\"socket_of\":[1,4294967295]";
  std::string bytes = whole_;
  const std::size_t at = bytes.find(field);
  ASSERT_NE(at, bytes.npos);
  read(bytes.erase(at, field.size()));
  bench::Run expected = sample_run();
  expected.socket_of.clear();
  EXPECT_EQ(campaign_.runs, std::vector{expected});
  EXPECT_EQ(campaign_.cells.size(), 3);
}

TEST_F(Stream, AddsARunBehindTheOthers) {
  campaign_.runs.resize(3);
  campaign_.cells.resize(1);
  read_stream(directory_ / "sample", campaign_);
  ASSERT_EQ(campaign_.runs.size(), 4);
  ASSERT_EQ(campaign_.cells.size(), 4);
  EXPECT_EQ(campaign_.cells.back().run, 3);
}

// Whatever a killed run has left: whole requests are there with all their cells, and nothing is of others.
TEST_F(Stream, KeepsWholeRequestsOfARunThatWasCutOffAnywhere) {
  for (std::size_t length = 0; length < whole_.size(); ++length) {
    const std::vector<std::uint32_t> done = read(whole_.substr(0, length));
    ASSERT_EQ(campaign_.runs.size(), 1);
    EXPECT_FALSE(campaign_.runs[0].finished) << length;
    const std::size_t cells = done.empty() ? 0 : done.size() == 1 ? 2 : 3;
    ASSERT_EQ(campaign_.cells.size(), cells) << length;
    for (std::size_t i = 0; i < cells; ++i) EXPECT_EQ(campaign_.cells[i], sample_cell(static_cast<std::uint32_t>(i)));
  }
}

TEST_F(Stream, LeavesOutTheCellsOfARequestThatIsNotDone) {
  const std::size_t second_done = whole_.rfind("{\"kind\":\"done\"");
  EXPECT_THAT(read(whole_.substr(0, second_done)), ElementsAre(0));
  EXPECT_EQ(campaign_.cells.size(), 2);
}

TEST_F(Stream, RefusesWhatRanksDidNotWriteAndSaysWhere) {
  EXPECT_THAT(fault_in("hello"), HasSubstr("stream: byte 0: no record of a measurement begins here"));
  EXPECT_THAT(fault_in("{\"kind\":\"cake\",\"values\":0}\n\n"), HasSubstr("does not begin with what it is"));
  const std::size_t run = whole_.find("{\"kind\":\"cell\"");
  EXPECT_THAT(fault_in(whole_.substr(0, run) + "x" + whole_.substr(run)),
              HasSubstr("stream: byte " + std::to_string(run)));
  EXPECT_THAT(fault_in(whole_ + whole_), HasSubstr("behind the end of the run"));
  EXPECT_THAT(fault_in(whole_.substr(0, run) + whole_), HasSubstr("a second run begins"));
}

TEST_F(Stream, RefusesADamagedLine) {
  const auto damaged = [&](const std::string& from, const std::string& to) {
    std::string bytes = whole_;
    const std::size_t at = bytes.find(from);
    EXPECT_NE(at, bytes.npos) << from;
    return fault_in(bytes.replace(at, from.size(), to));
  };
  EXPECT_THAT(damaged("\"bytes\":0", "\"bytes\":-1"), HasSubstr("'bytes' is not a whole number"));
  EXPECT_THAT(damaged("\"bytes\":0", "\"bytes\":2.5"), HasSubstr("'bytes' is not a whole number"));
  EXPECT_THAT(damaged("\"position\":0", "\"position\":4294967296"), HasSubstr("below 2^32"));
  EXPECT_THAT(damaged("\"operation\":", "\"oparation\":"), HasSubstr("nothing is known of 'oparation'"));
  EXPECT_THAT(damaged("\"seconds\":3", "\"seconds\":4"), HasSubstr("do not fit its values"));
  EXPECT_THAT(damaged("\"seconds\":3", "\"seconds\":18446744073709551615"), HasSubstr("do not fit its values"));
  EXPECT_THAT(damaged("\"kind\":\"cell\",", "\"kind\":\"cell\"}"), HasSubstr("is not a JSON object"));
  EXPECT_THAT(damaged("\"kind\":\"note\"", "\"kind\":\"nite\""), HasSubstr("no records of kind 'nite'"));
  EXPECT_THAT(damaged("\"delay_ns\":", "\"delay_ns\":\"x\",\"b\":"), HasSubstr("'numbers.delay_ns' is not a number"));
}

TEST_F(Stream, RefusesAFileThatIsNotThere) {
  EXPECT_THROW(read_stream(directory_ / "nothing", campaign_), Error);
  EXPECT_THAT(campaign_.runs, IsEmpty());
}

TEST(CellRecord, GivesBackCellsOneBehindTheOther) {
  const std::string records = cell_record(sample_cell(0)) + cell_record(sample_cell(2));
  std::vector<Cell> cells = cells_of_records(records);
  ASSERT_EQ(cells.size(), 2);
  EXPECT_EQ(cells[0], sample_cell(0));
  EXPECT_EQ(cells[1], sample_cell(2));
  EXPECT_THROW(cells_of_records(records.substr(0, records.size() - 1)), Error);
}

}  // namespace
}  // namespace plumbline::bench
