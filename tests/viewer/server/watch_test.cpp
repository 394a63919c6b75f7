#include "viewer/server/watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <fstream>

#include "tests/support/temporary_directory.hpp"

namespace plumbline::viewer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Watched : public testing::Test {
 protected:
  void SetUp() override {
    write("content");
    archives_.push_back(watch("obs", std::array{anchor(), directory_ / "traces.def"}));
  }

  std::filesystem::path anchor() const { return directory_ / "traces.otf2"; }
  // A later time than that of the file before, whatever the file system's clock says.
  void write(const std::string& text) {
    std::ofstream(anchor()) << text;
    std::filesystem::last_write_time(anchor(),
                                     std::filesystem::file_time_type::clock::now() + std::chrono::hours(++hours_));
  }

  test::TemporaryDirectory directory_;
  std::vector<WatchedArchive> archives_;
  int hours_ = 0;
};

TEST_F(Watched, AnArchiveThatIsLeftAloneHasNotChanged) { EXPECT_THAT(changes(archives_), IsEmpty()); }

TEST_F(Watched, AnArchiveThatWasTouchedHasNotChanged) {
  write("content");
  EXPECT_THAT(changes(archives_), IsEmpty());
}

TEST_F(Watched, AnotherContentOfTheSameLengthIsAChange) {
  write("CONTENT");
  EXPECT_THAT(changes(archives_), ElementsAre(HasSubstr("obs has changed")));
}

TEST_F(Watched, AnotherLengthIsAChange) {
  write("content and more");
  EXPECT_THAT(changes(archives_), ElementsAre(HasSubstr("obs has changed")));
}

TEST_F(Watched, AFileThatComesLaterIsAChange) {
  std::ofstream(directory_ / "traces.def") << "definitions";
  EXPECT_THAT(changes(archives_), ElementsAre(HasSubstr("obs has changed")));
}

TEST_F(Watched, AnArchiveThatIsRemovedIsGone) {
  std::filesystem::remove(anchor());
  EXPECT_THAT(changes(archives_), ElementsAre(HasSubstr("obs is gone")));
}

}  // namespace
}  // namespace plumbline::viewer
