// A short run on this machine, whatever else it does meanwhile: figures are not judged, the way from the probe to a
// readable platform is.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "bench/quick/options.hpp"
#include "bench/quick/quick.hpp"
#include "bench/results/file.hpp"
#include "bench/storage/scratch.hpp"
#include "hwmodels/calibrate/calibrate.hpp"
#include "hwmodels/calibrate/calibration.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline {
namespace {

void calibrate_here(const std::string& flavour) {
  const bench::ScratchDirectory scratch(std::filesystem::temp_directory_path());
  bench::QuickOptions options;
  options.directory = scratch.path();
  options.mpi = flavour;
  options.seconds = 3;
  double last = 0;
  options.progress = [&](double fraction, std::string_view) {
    EXPECT_GE(fraction, last);
    last = fraction;
  };
  const bench::Measurements measured = bench::run_quick(options);
  EXPECT_GT(last, 0.6);
  write_measurements(measured, scratch.path() / "kept.h5", Overwrite::kNo);
  EXPECT_EQ(bench::read_measurements(scratch.path() / "kept.h5"), measured);

  const hw::calibration::Calibration made = hw::calibration::calibrate(measured);
  const hw::Platform read = hw::parse_platform(hw::to_xml(made.platform), "platform");
  EXPECT_EQ(hw::to_xml(read), hw::to_xml(made.platform));
  ASSERT_FALSE(read.inside.ranges.empty());
  EXPECT_EQ(read.file_systems.size(), 1U);
  for (const hw::calibration::RangeReport& range : made.ranges)
    std::printf("%8lu to %8lu B: %3u sizes, deviation %5.1f %% median, %5.1f %% at most\n", range.first_size,
                range.last_size, range.sizes, 100 * range.median_deviation, 100 * range.largest_deviation);
  for (const std::string& note : made.notes) std::printf("note: %s\n", note.c_str());
  for (const std::string& disturbance : made.disturbances) std::printf("disturbed: %s\n", disturbance.c_str());
}

#ifdef PLUMBLINE_HAS_openmpi
TEST(CalibrateHere, GivesAPlatformWithOpenMpi) { calibrate_here("openmpi"); }
#endif
#ifdef PLUMBLINE_HAS_mpich
TEST(CalibrateHere, GivesAPlatformWithMpich) { calibrate_here("mpich"); }
#endif

}  // namespace
}  // namespace plumbline
