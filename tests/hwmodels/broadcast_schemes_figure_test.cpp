#include "tests/hwmodels/broadcast_schemes_figure.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace plumbline::hw {
namespace {

class BroadcastSchemesFigure : public testing::TestWithParam<const char*> {};

TEST_P(BroadcastSchemesFigure, IsWhatTheDocumentationShows) {
  const std::string path = std::string(PLUMBLINE_DOCS "/figures/schemes-") + GetParam() + ".svg";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == test::broadcast_schemes_figure(GetParam()))
      << "bin/broadcast_schemes_figure " << GetParam() << " > " << path;
}

INSTANTIATE_TEST_SUITE_P(Table2, BroadcastSchemesFigure, testing::Values("tcp", "gm"),
                         [](const auto& transport) { return std::string(transport.param); });

}  // namespace
}  // namespace plumbline::hw
