// Tables of guidelines with bytes changed, cut out and put in: they are read, or refused with the place of each fault.

#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "bench/rules/table/table.hpp"
#include "bench/rules/table/term_text.hpp"
#include "bench/rules/table/terms.hpp"
#include "tests/support/mutated.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::bench {
namespace {

constexpr int kMutations = 1500;

constexpr std::string_view kLikely[] = {"\n",  "\"", "{",   "}", "[[guideline]]\n", "-1", "1e999", "{each}",
                                        "(b)", "=",  "nan", "[]"};

// A part of the built-in table that has every key.
constexpr char kSample[] = R"toml(built_in = false
[forms]
shapes = [{topology = ["von_neumann", "moore"], dimensions = [2, 3]}]
[[guideline]]
id = "rule.one"
group = "of one"
text = "of one"
validate = true
[[guideline.compare]]
name = "GL11"
text = "{each} in order and at random"
each = ["neighbor_allgather", "neighbor_alltoall"]
fast = "{each}(b) order=ascending"
slow = ["{each}(b) order=random", "{each}(p*b) place=network times=pairs"]
over = "shapes"
equal = true
allowed = 1.5
least_block = "64KiB"
most_block = 1000000
[[guideline]]
id = "rule.two"
kind = "monotony"
operations = ["bcast"]
)toml";

TEST(GuidelinesFuzz, ADamagedTableIsReadOrRefusedWithPlaces) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  const Catalogue catalogue = parse_catalogue(R"({"families": [
    {"name": "bcast", "bytes": "the message", "implementations": ["library"], "parameters": []},
    {"name": "neighbor_allgather", "bytes": "one block", "implementations": ["library"], "parameters": [
      {"name": "topology", "default": "cartesian", "is_word": true}, {"name": "dimensions", "default": "2"},
      {"name": "order", "default": "ascending", "is_word": true}]},
    {"name": "neighbor_alltoall", "bytes": "one block", "implementations": ["library"], "parameters": [
      {"name": "topology", "default": "cartesian", "is_word": true}, {"name": "dimensions", "default": "2"},
      {"name": "order", "default": "ascending", "is_word": true}]}]})",
                                              "sample");
  ASSERT_EQ(parse_guidelines(kSample, "whole.toml", {}, &catalogue).rules.at(0).comparisons.size(), 16U);
  int read = 0, refused = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string text = plumbline::test::mutated(kSample, kLikely, random);
    try {
      const bool held_against_it = random() % 2 == 0;
      std::vector<Rule> rules = parse_guidelines(text, "t.toml", {}, held_against_it ? &catalogue : nullptr).rules;
      if (held_against_it) complete_terms(rules, catalogue);
      for (const Rule& rule : rules)
        for (const Comparison& comparison : rule.comparisons)
          ASSERT_FALSE(comparison.fast.empty() || comparison.slow.empty());
      ++read;
    } catch (const Error& error) {
      for (const Problem& problem : error.problems()) ASSERT_EQ(problem.where.rfind("t.toml", 0), 0U) << problem.what;
      ++refused;
    }
  }
  EXPECT_GT(read, kMutations / 100);
  EXPECT_GT(refused, kMutations / 4);
}

TEST(GuidelinesFuzz, AnyTextIsATermOrHasAFault) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  int terms = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string fault;
    const std::string text =
        plumbline::test::mutated("exchange(p*b) topology=moore place=network times=pairs", kLikely, random);
    const std::optional<Term> term = term_of(text, fault);
    ASSERT_NE(term.has_value(), !fault.empty()) << text;
    if (!term) continue;
    ++terms;
    std::string again;
    ASSERT_TRUE(term_of(text_of(*term), again)) << text << " became " << text_of(*term);
  }
  EXPECT_GT(terms, 500);
}

}  // namespace
}  // namespace plumbline::bench
