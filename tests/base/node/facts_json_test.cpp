#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>

#include "base/error.hpp"
#include "base/node/facts.hpp"
#include "base/node/reading.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::node {
namespace {

Facts sample() {
  Facts facts;
  facts.facts = {{"cpu.governor", {"powersave", "/sys/x"}}, {"kernel.cmdline", {"a=\"b\\c\"\tä", "/proc/cmdline"}}};
  facts.unreadable = {{"/proc/secret", "Permission denied"}};
  return facts;
}

TEST(FactsJson, GoesThereAndBack) {
  EXPECT_EQ(facts_from_json(to_json(sample()), "x"), sample());
  EXPECT_EQ(facts_from_json(to_json(Facts{}), "x"), Facts{});
  const Facts here = read_settings();
  EXPECT_EQ(facts_from_json(to_json(here), "x"), here);
}

TEST(FactsJson, BytesThatAreNoTextBecomeMarks) {
  Facts facts;
  facts.facts["mount./a.source"] = {"\xff", "/proc/self/mountinfo"};
  EXPECT_EQ(facts_from_json(to_json(facts), "x").value("mount./a.source"), "\xef\xbf\xbd");
}

TEST(FactsJson, AnotherTextIsRefusedWithItsName) {
  for (const char* text :
       {"", "[]", "{}", "{\"facts\": 1, \"unreadable\": {}}", "{\"facts\": {}}",
        "{\"facts\": {\"a\": {\"value\": 1, \"source\": \"\"}}, \"unreadable\": {}}",
        "{\"facts\": {\"a\": {\"value\": \"1\"}}, \"unreadable\": {}}", "{\"facts\": {}, \"unreadable\": {\"a\": 3}}"})
    try {
      facts_from_json(text, "node-n3.json");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("node-n3.json: ")) << error.what();
    }
}

TEST(FactsJson, DamagedTextGivesFactsOrAnError) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  const std::string whole = to_json(sample());
  int kept = 0, refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = whole;
    text[random() % text.size()] = static_cast<char>(random());
    if (random() % 4 == 0) text.erase(random() % text.size(), random() % 20);
    try {
      facts_from_json(text, "x");
      ++kept;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(kept, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace plumbline::node
