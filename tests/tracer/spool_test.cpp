// The reader against spools written by hand, cut off and damaged.
#include "tracer/spool/spool.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstring>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::spool {
namespace {

// Builds a file in memory: header, then segments.
class Builder {
 public:
  Builder() : bytes_(PL_HEADER_BYTES, 0) {
    auto* header = reinterpret_cast<pl_file_header*>(bytes_.data());
    std::memcpy(header->magic, PL_SPOOL_MAGIC, 8);
    header->version = PL_SPOOL_VERSION;
    header->header_bytes = PL_HEADER_BYTES;
    header->segment_bytes = PL_SEGMENT_BYTES;
    header->world_rank = 3;
  }
  Builder& keep_last() {
    header().max_bytes = 4 << 20;
    header().keep = PL_KEEP_LAST;
    header().writers = 8;
    return *this;
  }
  pl_file_header& header() { return *reinterpret_cast<pl_file_header*>(bytes_.data()); }

  Builder& segment(std::uint32_t thread, std::uint32_t index, pl_segment_kind kind = PL_SEGMENT_RECORDS) {
    at_ = PL_HEADER_BYTES + PL_SEGMENT_BYTES * segments_++;
    bytes_.resize(PL_HEADER_BYTES + PL_SEGMENT_BYTES * segments_, 0);
    const pl_segment_header head{PL_SEGMENT_MAGIC, thread, index, kind};
    std::memcpy(&bytes_[at_], &head, sizeof head);
    at_ += sizeof head;
    return *this;
  }
  Builder& record(std::uint16_t function, pl_state state, std::uint64_t begin, std::vector<std::uint64_t> payload,
                  std::uint32_t site = 5) {
    word(static_cast<std::uint64_t>(function) | payload.size() << 16 |
         static_cast<std::uint64_t>(site << 2 | static_cast<std::uint32_t>(state)) << 32);
    word(begin);
    word(state == PL_DONE ? begin + 10 : 0);
    for (const std::uint64_t value : payload) word(value);
    return *this;
  }
  Builder& word(std::uint64_t value) {
    std::memcpy(&bytes_[at_], &value, sizeof value);
    at_ += sizeof value;
    return *this;
  }
  std::size_t used() const { return at_; }
  std::vector<char>& bytes() { return bytes_; }

 private:
  std::vector<char> bytes_;
  std::size_t segments_ = 0, at_ = 0;
};

class SpoolTest : public ::testing::Test {
 protected:
  SpoolTest() {
    std::string name = (std::filesystem::temp_directory_path() / "plumbline-spool-XXXXXX").string();
    directory_ = mkdtemp(name.data());
  }
  ~SpoolTest() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path file(std::span<const char> bytes, const std::string& name = "a.spool") {
    const std::filesystem::path path = directory_ / name;
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
  }
  static std::vector<std::uint64_t> begins(const Spool& spool, std::uint32_t thread) {
    std::vector<std::uint64_t> found;
    spool.for_each(thread, [&](const Record& r) { found.push_back(r.begin); });
    return found;
  }

  std::filesystem::path directory_;
};

using Begins = std::vector<std::uint64_t>;

TEST_F(SpoolTest, RecordsComeBackAsTheyWereWritten) {
  Builder b;
  b.segment(0, 0).record(7, PL_DONE, 100, {1, 2, 3}).record(8, PL_BEGUN, 200, {4});
  const Spool spool(file(b.bytes()));
  std::vector<Record> records;
  spool.for_each(0, [&](const Record& r) { records.push_back(r); });
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].function, 7);
  EXPECT_EQ(records[0].site, 5u);
  EXPECT_TRUE(records[0].done);
  EXPECT_EQ(records[0].end, 110u);
  EXPECT_EQ(std::vector(records[0].payload.begin(), records[0].payload.end()), (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_FALSE(records[1].done);
  EXPECT_EQ(records[1].payload.size(), 1u);
  EXPECT_EQ(spool.header().world_rank, 3);
  EXPECT_TRUE(spool.remarks().empty());
}

TEST_F(SpoolTest, SegmentsOfAThreadAreReadInTheOrderOfTheirNumbers) {
  Builder b;
  b.segment(0, 0).record(1, PL_DONE, 1, {});
  b.segment(1, 1).record(1, PL_DONE, 30, {});
  b.segment(1, 0).record(1, PL_DONE, 20, {});
  b.segment(0, 1).record(1, PL_DONE, 2, {});
  const Spool spool(file(b.bytes()));
  ASSERT_EQ(spool.threads(), 2u);
  EXPECT_EQ(begins(spool, 0), (Begins{1, 2}));
  EXPECT_EQ(begins(spool, 1), (Begins{20, 30}));
  EXPECT_EQ(begins(spool, 2), Begins{});
  EXPECT_TRUE(spool.remarks().empty());
}

TEST_F(SpoolTest, AMissingSegmentIsRemarked) {
  Builder b;
  b.segment(0, 0).record(1, PL_DONE, 1, {});
  b.segment(0, 2).record(1, PL_DONE, 3, {});
  const Spool spool(file(b.bytes()));
  EXPECT_EQ(begins(spool, 0), (Begins{1, 3}));
  EXPECT_EQ(spool.remarks(), std::vector<std::string>{"thread 0: segment 1 is missing or there twice"});
}

TEST_F(SpoolTest, WhereTheLastAreKeptEachThreadHasItsLongestUnbrokenEnd) {
  Builder b;
  b.segment(0, 7).record(1, PL_DONE, 70, {}).record(1, PL_DONE, 71, {});
  b.segment(1, 4).record(1, PL_DONE, 40, {}).record(1, PL_DONE, 41, {});  // held a call while 5 gave way
  b.segment(0, 6).record(1, PL_DONE, 60, {});
  b.segment(1, 6).record(1, PL_DONE, 65, {});
  b.segment(2, 0).record(1, PL_DONE, 5, {});
  b.keep_last().header().dropped_calls = 100;
  b.header().dropped_segments = 11;
  const Spool spool(file(b.bytes()));
  EXPECT_EQ(begins(spool, 0), (Begins{60, 70, 71}));
  EXPECT_EQ(begins(spool, 1), (Begins{65}));
  EXPECT_EQ(begins(spool, 2), (Begins{5}));
  EXPECT_TRUE(spool.lacks_beginning(0));
  EXPECT_TRUE(spool.lacks_beginning(1));
  EXPECT_FALSE(spool.lacks_beginning(2));
  EXPECT_EQ(spool.dropped_calls(), 102u);
  EXPECT_EQ(spool.dropped_segments(), 12u);
  EXPECT_TRUE(spool.remarks().empty());
}

TEST_F(SpoolTest, DefinitionsInSegmentsOfTheirOwnComeBeforeWhatIsLater) {
  Builder b;
  b.keep_last();
  b.segment(0, 1, PL_SEGMENT_DEFINITIONS).record(PL_DEF_FILE, PL_DONE, 25, {1});
  b.segment(0, 3).record(1, PL_DONE, 10, {}).record(1, PL_DONE, 20, {}).record(1, PL_DONE, 30, {});
  b.segment(0, 0, PL_SEGMENT_DEFINITIONS).record(PL_DEF_FILE, PL_DONE, 1, {1}).record(PL_DEF_FILE, PL_DONE, 20, {1});
  b.segment(1, 0).record(1, PL_DONE, 15, {});
  const Spool spool(file(b.bytes()));
  EXPECT_EQ(begins(spool, 0), (Begins{1, 10, 20, 20, 25, 30}));
  EXPECT_EQ(begins(spool, 1), (Begins{15}));
  std::vector<std::uint16_t> kinds;
  spool.for_each(0, [&](const Record& r) { kinds.push_back(r.function); });
  EXPECT_EQ(kinds[2], PL_DEF_FILE);
}

TEST_F(SpoolTest, ASegmentThatIsAboutToBeUsedAgainIsNotThere) {
  Builder b;
  b.keep_last().header().dropped_segments = 3;
  b.segment(0, 4).record(1, PL_DONE, 40, {});
  b.segment(0, 3).record(1, PL_DONE, 30, {});
  std::memset(&b.bytes()[PL_HEADER_BYTES + PL_SEGMENT_BYTES], 0, 4);
  const Spool spool(file(b.bytes()));
  EXPECT_EQ(begins(spool, 0), (Begins{40}));
  EXPECT_TRUE(spool.remarks().empty());
}

TEST_F(SpoolTest, ASegmentThatWasOnlyAllocatedIsNoDamage) {
  Builder b;
  b.segment(0, 0).record(1, PL_DONE, 1, {});
  b.bytes().resize(b.bytes().size() + PL_SEGMENT_BYTES, 0);
  const Spool spool(file(b.bytes()));
  EXPECT_EQ(begins(spool, 0), Begins{1});
  EXPECT_TRUE(spool.remarks().empty());
}

TEST_F(SpoolTest, WordsBeyondTheSegmentEndTheSegment) {
  Builder b;
  b.segment(0, 0).record(1, PL_DONE, 1, {});
  while (b.used() + 48 < b.bytes().size()) b.record(2, PL_DONE, 2, {});
  b.word(0xffff0001ull | std::uint64_t{PL_DONE} << 32);
  const Spool spool(file(b.bytes()));
  EXPECT_EQ(begins(spool, 0).front(), 1u);
  ASSERT_EQ(spool.remarks().size(), 1u);
  EXPECT_NE(spool.remarks()[0].find("a record that reaches beyond its segment"), std::string::npos);
}

TEST_F(SpoolTest, WhatIsNoSpoolIsRefusedWithALocatedError) {
  const auto message_of = [&](std::span<const char> bytes) -> std::string {
    try {
      const Spool spool(file(bytes));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message_of({}).find("a.spool: is not a spool"), std::string::npos);
  EXPECT_NE(message_of(std::vector<char>(100000, 'x')).find("is not a spool"), std::string::npos);
  Builder other;
  other.header().version = 99;
  EXPECT_NE(message_of(other.bytes()).find("version 99"), std::string::npos);
  Builder sizes;
  sizes.header().segment_bytes = 0;
  EXPECT_NE(message_of(sizes.bytes()).find("damaged header"), std::string::npos);
}

TEST_F(SpoolTest, TextsWithoutAnEndStayInsideTheHeader) {
  Builder b;
  std::memset(b.header().program, 'p', sizeof b.header().program);
  std::memset(b.header().host, 'h', sizeof b.header().host);
  const Spool spool(file(b.bytes()));
  EXPECT_EQ(std::string(spool.header().host).size(), sizeof b.header().host - 1);
  EXPECT_EQ(std::string(spool.header().program).size(), sizeof b.header().program - 1);
}

// A file cut off anywhere gives the records that lie before the cut, or is refused.
TEST_F(SpoolTest, CutOffAnywhereItGivesWhatLiesBeforeTheCut) {
  Builder b;
  b.segment(0, 0);
  std::vector<std::size_t> ends;
  for (std::uint64_t i = 0; i < 6; ++i) {
    b.record(1, PL_DONE, i + 1, std::vector<std::uint64_t>(i, 9));
    ends.push_back(b.used());
  }
  const std::size_t first = PL_HEADER_BYTES - 20, last = b.used() + 20;
  for (std::size_t cut = 0; cut < last; cut += cut < first ? 511 : 1) {
    const std::filesystem::path path = file(std::span(b.bytes()).first(cut));
    if (cut < PL_HEADER_BYTES) {
      EXPECT_THROW(Spool{path}, Error) << "cut at " << cut;
      continue;
    }
    const Spool spool(path);
    std::size_t whole = 0;
    while (whole < ends.size() && ends[whole] <= cut) ++whole;
    EXPECT_EQ(begins(spool, 0).size(), whole) << "cut at " << cut;
    if (cut > PL_HEADER_BYTES) {
      EXPECT_FALSE(spool.remarks().empty()) << "cut at " << cut;
    }
  }
}

TEST_F(SpoolTest, RandomDamageIsSurvived) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 150; ++round) {
    Builder b;
    for (std::uint32_t s = 0; s < 2; ++s) {
      b.segment(s % 2, 0);
      for (std::uint64_t i = 0; i < 40; ++i)
        b.record(1, PL_DONE, i, std::vector<std::uint64_t>(random() % 9, random()));
    }
    b.bytes().resize(PL_HEADER_BYTES + PL_SEGMENT_BYTES + 4096);
    for (int hit = 0; hit < 12; ++hit) {
      const std::size_t where = random() % 3 == 0 ? random() % 3000 : PL_HEADER_BYTES + random() % 4000;
      b.bytes()[where] = static_cast<char>(random());
    }
    try {
      const Spool spool(file(b.bytes()));
      std::uint64_t sum = 0;
      for (std::uint32_t thread = 0; thread < spool.threads(); ++thread)
        spool.for_each(thread, [&](const Record& r) {
          for (const std::uint64_t word : r.payload) sum += word;
          sum += text_of(r.payload).size();
        });
      EXPECT_GE(sum, 0u);
    } catch (const Error&) {  // refused: as good
    }
  }
}

TEST_F(SpoolTest, SpoolsAreFoundByWorldRankAndThoseWithoutOneLast) {
  Builder b;
  b.segment(0, 0);
  std::filesystem::create_directory(directory_ / "node1");
  for (const auto& [rank, name] : {std::pair{-1, "a.spool"}, std::pair{10, "b.spool"}, std::pair{2, "node1/c.spool"}}) {
    b.header().world_rank = rank;
    file(b.bytes(), name);
  }
  file({}, "notes.txt");
  std::vector<std::string> names;
  for (const auto& path : find_spools(directory_)) names.push_back(path.filename());
  EXPECT_EQ(names, (std::vector<std::string>{"c.spool", "b.spool", "a.spool"}));
  EXPECT_THROW(find_spools(directory_ / "none"), Error);
}

}  // namespace
}  // namespace plumbline::spool
