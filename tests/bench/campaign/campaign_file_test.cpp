#include "bench/results/campaign_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "base/error.hpp"
#include "bench/results/file.hpp"
#include "bench/results/hdf5.hpp"
#include "tests/bench/campaign/random_campaign.hpp"
#include "tests/support/command.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class CampaignResult : public testing::Test {
 protected:
  std::string message_of_reading() const {
    try {
      read_campaign(path_);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void write_bytes(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }

  plumbline::test::TemporaryDirectory directory_;
  fs::path path_ = directory_ / "c.h5";
  std::uint64_t seed_ = plumbline::test::random_seed();
  test::Random random_{seed_};
};

Campaign known_campaign() {
  Campaign campaign;
  campaign.environment.host = "nöde1";
  campaign.text = "[[measure]]\n";
  campaign.seed = 42;
  campaign.notes = {"first", ""};
  campaign.runs.resize(2);
  campaign.runs[0].mpi = "openmpi";
  campaign.runs[1].mpi = "mpich";
  campaign.runs[1].hosts = {"a", "b"};
  for (std::uint32_t i = 0; i < 2; ++i) {
    Cell cell{"bcast", i == 0 ? "library" : "binomial", 1024 * (i + 1), i};
    cell.seconds = {1e-6 * (i + 1), 2e-6};
    cell.flags = {0, 1};
    cell.numbers["messages"] = 4;
    campaign.cells.push_back(cell);
  }
  return campaign;
}

TEST_F(CampaignResult, ReadsBackWhateverWasWritten) {
  SCOPED_TRACE(testing::Message() << "seed " << seed_);
  for (int i = 0; i < 60; ++i) {
    const Campaign written = test::random_campaign(random_);
    write_campaign(written, path_, Overwrite::kYes);
    ASSERT_EQ(read_campaign(path_), written);
  }
}

TEST_F(CampaignResult, OfAnOlderVersionTellsNoBoots) {
  Campaign written = known_campaign();
  written.runs[1].boots = {"9adcc8d1", "9adcc8d1"};
  write_campaign(written, path_, Overwrite::kYes);
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  EXPECT_GE(H5Ldelete(file, "runs/boots", H5P_DEFAULT), 0);
  EXPECT_GE(H5Ldelete(file, "runs/boots_begin", H5P_DEFAULT), 0);
  H5Fclose(file);
  written.runs[1].boots.clear();
  EXPECT_EQ(read_campaign(path_), written);
}

// As they were written before ranks told their sockets.
TEST_F(CampaignResult, ReadsFilesWithoutTheColumnOfSockets) {
  Campaign written = known_campaign();
  written.runs[1].socket_of = {0, kNoSocket};
  write_campaign(written, path_, Overwrite::kNo);
  EXPECT_EQ(read_campaign(path_), written);
  const auto remove = [&](const char* column) {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    EXPECT_GE(H5Ldelete(file, column, H5P_DEFAULT), 0);
    H5Fclose(file);
  };
  remove("runs/socket_of");
  EXPECT_THAT(message_of_reading(), HasSubstr("no column 'socket_of'")) << "half a column is a damage";
  remove("runs/socket_of_begin");
  written.runs[1].socket_of.clear();
  EXPECT_EQ(read_campaign(path_), written);
}

// HDF5 keeps times in seconds.
TEST_F(CampaignResult, TheSameCampaignIsTheSameFileASecondLater) {
  SCOPED_TRACE(testing::Message() << "seed " << seed_);
  const Campaign written = test::random_campaign(random_);
  write_campaign(written, path_, Overwrite::kNo);
  const std::string first = bytes();
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  write_campaign(written, path_, Overwrite::kYes);
  EXPECT_EQ(bytes(), first);
}

TEST_F(CampaignResult, IsReadByH5pyAloneAsTheReferenceSays) {
  if (plumbline::test::run_command("/usr/bin/python3 -c 'import h5py'").status != 0)
    GTEST_SKIP() << "python3-h5py is not installed";
  write_campaign(known_campaign(), path_, Overwrite::kNo);
  std::ofstream(directory_ / "read.py") << R"(
import h5py
with h5py.File("c.h5") as f:
    words = f["words"].asstr()[:]
    cells = f["cells"]
    begin = cells["seconds_begin"][:]
    print(f.attrs["format"].decode(), f.attrs["version"], f.attrs["seed"], f["environment"].attrs["host"].decode())
    print(f["text"].asstr()[0].strip(), list(f["notes"].asstr()[:]))
    for i in range(len(cells["bytes"])):
        name = words[cells["operation"][i]], words[cells["implementation"][i]], words[f["runs/mpi"][cells["run"][i]]]
        here = slice(begin[i], begin[i + 1])
        print(*name, cells["bytes"][i], cells["seconds"][here].tolist(), cells["flags"][here].tolist())
    b = cells["numbers_begin"][:]
    print(words[cells["numbers_name"][b[0]]], cells["numbers_value"][b[0]])
)";
  const auto read = plumbline::test::run_command("/usr/bin/python3 read.py", directory_.path());
  EXPECT_EQ(read.out,
            "plumbline campaign 1 42 nöde1\n"
            "[[measure]] ['first', '']\n"
            "bcast library openmpi 1024 [1e-06, 2e-06] [0, 1]\n"
            "bcast binomial mpich 2048 [2e-06, 2e-06] [0, 1]\n"
            "messages 4.0\n")
      << read.err;
}

TEST_F(CampaignResult, HoldsAMillionRepetitionsInFewerBytesThanTheirTimes) {
  Campaign campaign = known_campaign();
  for (Cell& cell : campaign.cells) {
    cell.seconds.clear();
    for (int i = 0; i < 500'000; ++i) cell.seconds.push_back(1e-9 * static_cast<double>(400 + random_() % 200));
    cell.flags.assign(cell.seconds.size(), 0);
  }
  write_campaign(campaign, path_, Overwrite::kNo);
  EXPECT_LT(fs::file_size(path_), 1'000'000U * 8);
  EXPECT_EQ(read_campaign(path_), campaign);
}

TEST_F(CampaignResult, SaysWhichFileIsTruncatedWhereverItIsCut) {
  write_campaign(known_campaign(), path_, Overwrite::kNo);
  const std::uintmax_t whole = fs::file_size(path_);
  for (const std::uintmax_t part : {whole - 1, whole / 2, std::uintmax_t{100}, std::uintmax_t{0}}) {
    fs::resize_file(path_, part);
    EXPECT_THAT(message_of_reading(), HasSubstr(path_.string() + ": not a readable measurement file")) << part;
  }
}

// Checksums find it: what is read is what was written, or nothing is.
TEST_F(CampaignResult, ADamagedByteIsFoundOrDoesNoHarm) {
  SCOPED_TRACE(testing::Message() << "seed " << seed_);
  const Campaign written = known_campaign();
  write_campaign(written, path_, Overwrite::kNo);
  const std::string whole = bytes();
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::string damaged = whole;
    const std::size_t at = random_() % damaged.size();
    damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1 + random_() % 255));
    write_bytes(damaged);
    try {
      ASSERT_EQ(read_campaign(path_), written) << at;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 40);
}

TEST_F(CampaignResult, OtherFilesAreRefusedForWhatTheyAre) {
  write_measurements({}, path_, Overwrite::kNo);
  EXPECT_FALSE(is_campaign(path_));
  EXPECT_THAT(message_of_reading(), HasSubstr("its format is 'plumbline measurements'"));
  write_bytes("not HDF5");
  EXPECT_THAT(message_of_reading(), HasSubstr("not HDF5"));
  fs::remove(path_);
  EXPECT_THAT(message_of_reading(), HasSubstr("does not exist"));
  write_campaign(known_campaign(), path_, Overwrite::kNo);
  EXPECT_TRUE(is_campaign(path_));
}

}  // namespace
}  // namespace plumbline::bench
