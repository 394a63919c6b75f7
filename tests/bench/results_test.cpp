#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "base/error.hpp"
#include "bench/results/file.hpp"
#include "bench/results/measurements.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class MeasurementFile : public ::testing::Test {
 protected:
  MeasurementFile() { fs::create_directories(directory_); }
  ~MeasurementFile() override { fs::remove_all(directory_); }

  static std::string message_of_reading(const fs::path& path) {
    try {
      read_measurements(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  fs::path directory_ = fs::temp_directory_path() / ("plumbline-results-" + std::to_string(::getpid()));
  fs::path path_ = directory_ / "m.h5";
};

Measurements example() {
  Measurements m;
  m.environment.host = "nöde1";
  m.environment.created = "2024-02-29T12:00:00Z";
  m.environment.cores = 2;
  m.environment.load_before = 0.25;
  m.environment.mpi = "MPICH Version:\t4.0.2";
  m.environment.late_ns = 200e3;
  m.notes = {"first", "", "third"};
  Series& trips = series(m, kPingPong, "ns");
  for (std::uint32_t i = 0; i < 5000; ++i) trips.samples.push_back({i % 7, i / 100, i % 2, 100.5 + i});
  series(m, kCopyOneCore, "B/s").samples.push_back({1 << 26, 0, 0, 1e10});
  series(m, kOpen, "ns");  // no samples
  return m;
}

TEST_F(MeasurementFile, ReadsBackWhatWasWritten) {
  const Measurements written = example();
  write_measurements(written, path_, Overwrite::kNo);
  EXPECT_EQ(read_measurements(path_), written);
}

// HDF5 keeps times in seconds.
TEST_F(MeasurementFile, OfTheSameMeasurementsIsTheSameASecondLater) {
  const auto bytes = [&](const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  write_measurements(example(), path_, Overwrite::kNo);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  write_measurements(example(), directory_ / "later.h5", Overwrite::kNo);
  EXPECT_EQ(bytes(directory_ / "later.h5"), bytes(path_));
}

TEST_F(MeasurementFile, RefusesToReplaceAnExistingFile) {
  write_measurements(example(), path_, Overwrite::kNo);
  EXPECT_THROW(write_measurements(example(), path_, Overwrite::kNo), Error);
  EXPECT_NO_THROW(write_measurements(example(), path_, Overwrite::kYes));
}

TEST_F(MeasurementFile, SaysWhichFileIsTruncatedWhereverItIsCut) {
  write_measurements(example(), path_, Overwrite::kNo);
  const std::uintmax_t whole = fs::file_size(path_);
  for (const std::uintmax_t part : {whole / 2, whole - 1, std::uintmax_t{100}, std::uintmax_t{0}}) {
    fs::resize_file(path_, part);
    EXPECT_THAT(message_of_reading(path_), HasSubstr(path_.string() + ": not a readable measurement file")) << part;
  }
}

TEST_F(MeasurementFile, RefusesOtherFiles) {
  EXPECT_THAT(message_of_reading(directory_ / "missing.h5"), HasSubstr("does not exist"));
  std::ofstream(path_) << "not HDF5\n";
  EXPECT_THAT(message_of_reading(path_), HasSubstr("not HDF5"));
}

TEST_F(MeasurementFile, SurvivesAnyDamagedByte) {
  write_measurements(example(), path_, Overwrite::kNo);
  std::ifstream original(path_, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(original), std::istreambuf_iterator<char>()};
  for (std::size_t at = 0; at < bytes.size(); at += 997) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(~damaged[at]);
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << damaged;
    try {
      read_measurements(path_);
    } catch (const Error&) {
      continue;  // refused, or a figure differs: both are fine, only a crash is not
    }
  }
}

}  // namespace
}  // namespace plumbline::bench
