#include "viewer/server/http/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"
#include "tests/support/temporary_directory.hpp"
#include "viewer/server/encoding/gzip.hpp"
#include "viewer/server/http/guard.hpp"

namespace plumbline::viewer {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Policy, NamesTheScriptsThatStandInThePageByTheirHash) {
  const std::string policy =
      policy_for("<html><script type=\"module\">alert(1)</script><script src=\"app.js\"></script>");
  // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
  EXPECT_THAT(policy, HasSubstr("script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=';"));
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, HasSubstr("connect-src 'self'"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe-eval")));
}

TEST(Policy, OfAScriptThatIsCutShortAllowsNothing) {
  EXPECT_THAT(policy_for("<script>alert(1)"), HasSubstr("script-src 'self';"));
  EXPECT_THAT(policy_for("<script"), HasSubstr("script-src 'self';"));
}

TEST(EmbeddedPage, IsServedAsItWasCompressed) {
  const std::string html = "<!doctype html><title>Plumbline</title>", compressed = gzip(html, 9);
  const Page page = embedded_page(std::as_bytes(std::span(compressed)));
  EXPECT_EQ(file_of(page, "/")->compressed, compressed);
  EXPECT_EQ(file_of(page, "/?x=1")->compressed, compressed);
  EXPECT_EQ(file_of(page, "/app.js"), std::nullopt);
}

TEST(EmbeddedPage, ThatIsMissingSaysWhatToDo) {
  const std::optional<PageFile> file = file_of(embedded_page({}), "/");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->type, "text/plain; charset=utf-8");
  EXPECT_THAT(file->text, HasSubstr("npm"));
  EXPECT_THAT(file->text, HasSubstr("--assets"));
}

class PageOfDirectory : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(directory_ / "page");
    write("page/index.html", "<script src=\"app.js\"></script>");
    write("page/app.js", "let a;");
    write("secret.txt", "secret");
  }

  void write(const std::string& name, const std::string& text) { std::ofstream(directory_ / name) << text; }

  test::TemporaryDirectory directory_;
};

TEST_F(PageOfDirectory, HasItsFilesWithTheirTypes) {
  const Page page = page_of(directory_ / "page");
  EXPECT_EQ(file_of(page, "/")->type, "text/html; charset=utf-8");
  EXPECT_EQ(file_of(page, "/app.js?v=2")->text, "let a;");
  EXPECT_EQ(file_of(page, "/app.js")->type, "text/javascript; charset=utf-8");
  EXPECT_EQ(file_of(page, "/none.js"), std::nullopt);
}

TEST_F(PageOfDirectory, NeverLeavesIt) {
  std::filesystem::create_symlink(directory_ / "secret.txt", directory_ / "page/link.txt");
  std::filesystem::create_directory(directory_ / "page/inner");
  const Page page = page_of(directory_ / "page");
  EXPECT_EQ(file_of(page, "/link.txt"), std::nullopt) << "a link may lead anywhere";
  EXPECT_EQ(file_of(page, "/inner"), std::nullopt);
  for (const char* target : {"/../secret.txt", "/%2e%2e/secret.txt", "/..", "/inner/../../secret.txt"})
    EXPECT_FALSE(is_of_page(target)) << target;
}

TEST_F(PageOfDirectory, NeedsAnIndex) { EXPECT_THROW(page_of(directory_.path()), Error); }

}  // namespace
}  // namespace plumbline::viewer
