// What benchmarks of three kinds would call the time of a broadcast, on every transport of Table 2 of Hoefler,
// Schneider, Lumsdaine, "LogGP in theory and practice", 2009, against closed forms.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <sstream>
#include <string>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/hwmodels/broadcast_schemes.hpp"

namespace plumbline::hw {
namespace {

using test::length_of;
using test::Scheme;
using test::Tree;

constexpr const char* kTransports[] = {"tcp", "sci", "ib-sdr", "iwarp", "ib-ddr", "gm", "mx"};

Platform transport(const std::string& name) { return read_platform(PLUMBLINE_PLATFORMS "/loggp-" + name + ".xml"); }

// With s bytes: a hop takes H = L + 2o + (s-1)G, an interface is busy with a message for A = g + (s-1)G.
struct Terms {
  Duration hop, busy, overhead;

  Duration often() const { return std::max(overhead, busy); }        // between messages that a rank sends
  Duration passing() const { return std::max(overhead * 2, busy); }  // between messages that it receives and sends on
};

Terms terms_of(const Platform& platform, Bytes size) {
  const MessageRange& range = range_of(platform.between, size);
  const Duration bytes = transfer_time({size.count - 1}, range.gap_rate->value);
  return {range.latency.value + range.send.value + range.receive.value + bytes, range.gap.value + bytes,
          range.send.value};
}

// All of `count` broadcasts over a chain, or down a binomial tree, of a power of two of ranks.
Duration chain_form(const Terms& t, Scheme scheme, std::uint32_t ranks, std::uint32_t count) {
  const Duration one = t.hop * (ranks - 1);
  if (scheme == Scheme::kIsolated) return one;
  if (scheme == Scheme::kRootBefore) return one * count;  // each root has the last broadcast last
  if (ranks == 2) return scheme == Scheme::kLoop ? t.often() * (count - 1) + one : one * count;
  return (scheme == Scheme::kLoop ? t.passing() : t.hop + t.passing()) * (count - 1) + one;
}
Duration binomial_form(const Terms& t, Scheme scheme, std::uint32_t ranks, std::uint32_t count) {
  const int levels = std::countr_zero(ranks);
  const Duration one = t.hop * levels;
  if (scheme == Scheme::kIsolated) return one;
  if (scheme == Scheme::kRootBefore) return one * count;
  const Duration each = scheme == Scheme::kLoop ? t.often() * levels : t.hop + t.often() * (levels - 1);
  return each * (count - 1) + one;
}

class BroadcastSchemes : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Table2, BroadcastSchemes, testing::ValuesIn(kTransports), [](const auto& name) {
  std::string text = name.param;
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
});

constexpr Scheme kSchemes[] = {Scheme::kIsolated, Scheme::kLoop, Scheme::kChangeRoot, Scheme::kRootBefore};

TEST_P(BroadcastSchemes, TakeTheClosedForms) {
  constexpr std::uint32_t kCount = 50;
  const Platform platform = transport(GetParam());
  for (const Bytes size : {Bytes{1}, Bytes{1024}, Bytes{65'536}}) {
    const Terms terms = terms_of(platform, size);
    for (std::uint32_t ranks = 2; ranks <= 1024; ranks *= 2)
      for (const Scheme scheme : kSchemes) {
        SCOPED_TRACE(fmt::format("{} bytes, {} ranks, scheme {}", size.count, ranks, static_cast<int>(scheme)));
        // What arrives must not be held up by what was sent just before.
        if (terms.passing() <= terms.hop) {
          EXPECT_EQ(length_of(platform, Tree::kChain, scheme, ranks, size, kCount),
                    chain_form(terms, scheme, ranks, kCount));
        }
        if (terms.often() <= terms.hop) {
          EXPECT_EQ(length_of(platform, Tree::kBinomial, scheme, ranks, size, kCount),
                    binomial_form(terms, scheme, ranks, kCount));
        }
      }
  }
}

std::string documentation() {
  std::ifstream file(PLUMBLINE_DOCS "/notebook/broadcasts-in-a-loop.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// How many times as fast as it is a loop, and one with another root each time, makes it look.
TEST_P(BroadcastSchemes, MisleadAsTheDocumentationSays) {
  constexpr std::uint32_t kCount = 1000;
  const Platform platform = transport(GetParam());
  std::string line = fmt::format("| {} |", GetParam());
  for (const std::uint32_t ranks : {16U, 1024U})
    for (const Tree tree : {Tree::kChain, Tree::kBinomial}) {
      const double one = length_of(platform, tree, Scheme::kIsolated, ranks, {1}, 1).seconds();
      for (const Scheme scheme : {Scheme::kLoop, Scheme::kChangeRoot})
        line +=
            fmt::format(" {:.1f} |", one * kCount / length_of(platform, tree, scheme, ranks, {1}, kCount).seconds());
    }
  EXPECT_NE(documentation().find(line), std::string::npos)
      << "this belongs into docs/notebook/broadcasts-in-a-loop.md:\n"
      << line;
}

}  // namespace
}  // namespace plumbline::hw
