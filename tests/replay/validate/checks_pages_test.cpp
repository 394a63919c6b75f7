#include "replay/validate/checks/pages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/checks/check.hpp"

namespace plumbline::replay::validate {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t words_of(const std::string& text) {
  std::istringstream stream(text);
  return std::distance(std::istream_iterator<std::string>(stream), {});
}

std::string heading_of(const Check& check) { return "\n## `" + std::string(check.id) + "`\n"; }

TEST(ValidateChecksPages, EveryCheckIsOnOnePageAndTheIndexLeadsThere) {
  const std::vector<ChecksPage> pages = checks_pages();
  for (const Check& check : catalogue()) {
    std::vector<std::string> found;
    for (const ChecksPage& page : pages)
      if (page.text.find(heading_of(check)) != std::string::npos) found.push_back(page.file);
    ASSERT_EQ(found.size(), 1U) << check.id;
    EXPECT_THAT(pages.front().text, testing::HasSubstr("| [`" + std::string(check.id) + "`](" + found.front() + "#"))
        << check.id;
  }
}

TEST(ValidateChecksPages, NoPageIsLongerThanFifteenHundredWordsOrWithoutACheck) {
  for (const ChecksPage& page : checks_pages()) {
    EXPECT_LE(words_of(page.text), 1500) << page.file << ": give some of its ids to another family";
    EXPECT_GT(words_of(page.text), 50) << page.file;
  }
}

TEST(ValidateChecksPages, AreThoseOfTheReferenceAndThereAreNoOthers) {
  std::set<std::string> made, kept;
  for (const ChecksPage& page : checks_pages()) {
    made.insert(page.file);
    std::ifstream file(fs::path(PLUMBLINE_REFERENCE) / page.file);
    EXPECT_TRUE((std::string{std::istreambuf_iterator<char>(file), {}}) == page.text)
        << page.file << " is old: plumbline explain --markdown docs/reference";
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(PLUMBLINE_REFERENCE))
    if (entry.path().filename().string().starts_with("checks")) kept.insert(entry.path().filename());
  EXPECT_EQ(made, kept);
}

}  // namespace
}  // namespace plumbline::replay::validate
