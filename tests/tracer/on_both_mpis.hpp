#pragma once
// Tests that record a program of tests/tracer/programs with each MPI.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tracer/traced.hpp"

namespace plumbline::spool::test {

class OnBothMpis : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::vector<std::string> found = flavours();
    if (std::find(found.begin(), found.end(), GetParam()) == found.end())
      GTEST_SKIP() << "no preload library for " << GetParam() << ": this MPI is not installed";
  }
  void TearDown() override {
    if (!outcome_.work.empty()) std::filesystem::remove_all(outcome_.work);
  }
  std::vector<std::unique_ptr<Content>> record(const std::string& program, int ranks,
                                               std::vector<std::string> arguments = {}) {
    outcome_ = run({GetParam(), program, ranks, std::move(arguments)});
    return contents(outcome_);
  }
  Outcome outcome_;
};

inline const auto kBothMpis = ::testing::Values("openmpi", "mpich");
inline std::string name_of_mpi(const ::testing::TestParamInfo<const char*>& flavour) { return flavour.param; }

}  // namespace plumbline::spool::test
