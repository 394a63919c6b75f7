// The measuring library as users find it: installed, with pkg-config and with CMake, in C, C++ and Fortran.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/command.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

using test::run_command;
using testing::MatchesRegex;

class InstalledLibrary : public testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() {
    directory_ = new test::TemporaryDirectory();
    const auto installed = run_command(fmt::format("cmake --install {} --prefix {}/prefix", BUILD_DIRECTORY, root()));
    ASSERT_EQ(installed.status, 0) << installed.err;
  }
  static void TearDownTestSuite() { delete directory_; }
  static std::string root() { return directory_->path().string(); }
  static std::string users() { return SOURCE_DIRECTORY "/tests/bench/library/users"; }

  std::string flavour() const { return GetParam(); }

  // Compiled in a directory of its own by `command`, which makes ./user, and run with two ranks.
  void expect_times(const std::string& name, const std::string& command) const {
    const std::filesystem::path own = directory_->path() / (name + flavour());
    std::filesystem::create_directories(own);
    const auto made =
        run_command(fmt::format("export PKG_CONFIG_PATH={}/prefix/lib/pkgconfig\n{}", root(), command), own.string());
    ASSERT_EQ(made.status, 0) << command << "\n" << made.out << made.err;
    const std::string launcher =
        flavour() == "openmpi"
            ? "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun.openmpi --oversubscribe"
            : "mpirun.mpich";
    const auto run = run_command(launcher + " -n 2 ./user", own.string());
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, MatchesRegex("[0-9]+ repetitions of 2 ranks, with times\n")) << run.err;
  }

 private:
  static inline test::TemporaryDirectory* directory_ = nullptr;
};

TEST_P(InstalledLibrary, IsFoundByPkgConfigForC) {
  expect_times(
      "c", fmt::format("mpicc.{0} -Wall -Werror {1}/user.c -o user $(pkg-config --cflags --libs plumbline-bench-{0})",
                       flavour(), users()));
}

TEST_P(InstalledLibrary, CanBeUsedFromCxx) {
  expect_times("cxx", fmt::format("mpicxx.{0} -x c++ -std=c++11 {1}/user.c -x none -o user "
                                  "$(pkg-config --cflags --libs plumbline-bench-{0})",
                                  flavour(), users()));
}

TEST_P(InstalledLibrary, CanBeUsedFromFortran) {
  expect_times("fortran", fmt::format("mpif90.{0} {2}/prefix/share/plumbline/plumbline_bench.f90 {1}/user.f90 -o user "
                                      "$(pkg-config --libs plumbline-bench-{0})",
                                      flavour(), users(), root()));
}

TEST_P(InstalledLibrary, IsFoundByCMake) {
  expect_times("cmake", fmt::format("cmake -S {1} -B build -DFLAVOUR={0} -DCMAKE_PREFIX_PATH={2}/prefix "
                                    "-DCMAKE_C_COMPILER=mpicc.{0} && cmake --build build && cp build/user .",
                                    flavour(), users(), root()));
}

INSTANTIATE_TEST_SUITE_P(OfBoth, InstalledLibrary, testing::Values(PLUMBLINE_FLAVOURS),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace plumbline::bench
