#include "base/files/output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace plumbline {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Output : public testing::Test {
 protected:
  Output() {
    std::string name = (fs::temp_directory_path() / "plumbline-output-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~Output() override { fs::remove_all(directory_); }

  std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory_))
      names.push_back(entry.path().filename());
    return names;
  }

  static std::string content(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  template <class Action>
  static std::string message_of(Action action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing was thrown";
  }

  fs::path directory_;
};

TEST_F(Output, IsNotThereWithoutACommit) {
  { const StagedOutput output(directory_ / "obs", StagedOutput::Kind::kDirectory, Overwrite::kNo); }
  EXPECT_THAT(listing(), testing::IsEmpty());
}

TEST_F(Output, DisappearsWhenTheWorkThrows) {
  const auto work = [&] {
    const StagedOutput output(directory_ / "obs", StagedOutput::Kind::kDirectory, Overwrite::kNo);
    std::ofstream(output.staging() / "half") << "written";
    throw Error("trace", "is broken");
  };
  EXPECT_THROW(work(), Error);
  EXPECT_THAT(listing(), testing::IsEmpty());
}

TEST_F(Output, AppearsWholeAtTheCommit) {
  StagedOutput output(directory_ / "obs", StagedOutput::Kind::kDirectory, Overwrite::kNo);
  EXPECT_TRUE(fs::is_empty(output.staging()));
  std::ofstream(output.staging() / "traces.otf2") << "anchor";
  EXPECT_FALSE(fs::exists(directory_ / "obs"));
  output.commit();
  EXPECT_EQ(content(directory_ / "obs" / "traces.otf2"), "anchor");
  EXPECT_THAT(listing(), testing::ElementsAre("obs"));
}

TEST_F(Output, ThatExistsIsRefusedBeforeAnyWork) {
  std::ofstream(directory_ / "report.json") << "old";
  EXPECT_THAT(message_of([&] { write_file(directory_ / "report.json", "new", Overwrite::kNo); }),
              HasSubstr("report.json: already exists; use --force to replace it"));
  EXPECT_EQ(content(directory_ / "report.json"), "old");
}

TEST_F(Output, ThatExistsIsReplacedWhenAskedFor) {
  std::ofstream(directory_ / "report.json") << "old";
  write_file(directory_ / "report.json", "new", Overwrite::kYes);
  EXPECT_EQ(content(directory_ / "report.json"), "new");

  fs::create_directory(directory_ / "obs");
  std::ofstream(directory_ / "obs" / "left-over") << "old";
  StagedOutput output(directory_ / "obs", StagedOutput::Kind::kDirectory, Overwrite::kYes);
  output.commit();
  EXPECT_TRUE(fs::is_empty(directory_ / "obs"));
  EXPECT_THAT(listing(), testing::UnorderedElementsAre("report.json", "obs"));
}

TEST_F(Output, ThatAppearsMeanwhileIsNotOverwritten) {
  StagedOutput output(directory_ / "report.json", StagedOutput::Kind::kFile, Overwrite::kNo);
  std::ofstream(output.staging()) << "ours";
  std::ofstream(directory_ / "report.json") << "theirs";
  EXPECT_THAT(message_of([&] { output.commit(); }), HasSubstr("appeared while the output was written"));
  EXPECT_EQ(content(directory_ / "report.json"), "theirs");
}

TEST_F(Output, NeedsItsDirectory) {
  EXPECT_THAT(message_of([&] { require_writable(directory_ / "none" / "report.json", Overwrite::kNo); }),
              HasSubstr("does not exist; create it first"));
}

TEST_F(Output, NeverReplacesTheWorkingDirectory) {
  EXPECT_THAT(message_of([&] { require_writable(".", Overwrite::kYes); }), HasSubstr("working directory"));
  EXPECT_THAT(message_of([&] { require_writable("..", Overwrite::kYes); }), HasSubstr("working directory"));
  EXPECT_THAT(message_of([&] { require_writable("/", Overwrite::kYes); }), HasSubstr("working directory"));
}

TEST_F(Output, OfAFileDoesNotReplaceADirectory) {
  fs::create_directory(directory_ / "obs");
  EXPECT_THAT(message_of([&] { write_file(directory_ / "obs", "text", Overwrite::kYes); }),
              HasSubstr("is a directory, and a file is to be written"));
}

TEST_F(Output, MayEndWithASlash) {
  StagedOutput output(directory_ / "obs/", StagedOutput::Kind::kDirectory, Overwrite::kNo);
  output.commit();
  EXPECT_THAT(listing(), testing::ElementsAre("obs"));
}

TEST_F(Output, IntoADeviceLeavesTheDevice) {
  write_file("/dev/null", "text", Overwrite::kNo);
  struct stat status {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST_F(Output, ThroughALinkReplacesWhatItPointsTo) {
  std::ofstream(directory_ / "real") << "old";
  fs::create_symlink("real", directory_ / "link");
  write_file(directory_ / "link", "new", Overwrite::kYes);
  EXPECT_EQ(content(directory_ / "real"), "new");
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
}

}  // namespace
}  // namespace plumbline
