#include "base/files/mapped_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace plumbline {
namespace {

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    path_ = (std::filesystem::temp_directory_path() / "plumbline-mapped-XXXXXX").string();
    const int file = ::mkstemp(path_.data());
    EXPECT_EQ(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(file);
  }
  ~TemporaryFile() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, HoldsTheWholeFile) {
  const TemporaryFile file("plumb\nline");
  EXPECT_EQ(text_of(MappedFile(file.path())), "plumb\nline");
}

TEST(MappedFile, OfAnEmptyFileIsEmpty) {
  const TemporaryFile file("");
  EXPECT_TRUE(MappedFile(file.path()).bytes().empty());
}

TEST(MappedFile, MovesWithItsContent) {
  const TemporaryFile one("one"), two("two");
  MappedFile a(one.path());
  MappedFile b(std::move(a));
  EXPECT_EQ(text_of(b), "one");
  MappedFile c(two.path());
  c = std::move(b);
  EXPECT_EQ(text_of(c), "one");
}

TEST(MappedFile, ThatCannotBeReadIsALocatedError) {
  try {
    MappedFile("/nowhere/trace.otf2");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/nowhere/trace.otf2: cannot be opened: No such file or directory");
  }
  EXPECT_THROW(MappedFile("/tmp"), Error);
}

}  // namespace
}  // namespace plumbline
