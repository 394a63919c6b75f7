#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "replay/expect/archive/expected_archive.hpp"
#include "replay/expect/archive/read_together.hpp"
#include "replay/expect/archive/use_locations.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;

std::string property(const archive::Definitions& definitions, const char* key) {
  const auto found = definitions.properties.find(key);
  return found == definitions.properties.end() ? std::string() : found->second;
}

// Over the time of the expected run, from the first operation of any rank to the last.
std::vector<ComponentTotals> components_of(archive::Reader& reader, const std::vector<ExpectedRank>& ranks) {
  Time begin{std::numeric_limits<std::int64_t>::max()}, end;
  for (const ExpectedRank& rank : ranks) {
    if (rank.free.empty()) continue;
    begin = std::min(begin, rank.free.front().begin);
    for (const OperationTimes& times : rank.free) end = std::max(end, times.end);
  }
  return read_use(reader, std::min(begin, end), end);
}

}  // namespace

bool is_expected(const archive::Definitions& definitions) {
  const auto kind = definitions.properties.find(archive::names::kPropertyKind);
  return kind != definitions.properties.end() && kind->second == "expected";
}

void require_observed(const archive::Definitions& definitions, const std::string& name, std::string_view verb) {
  if (is_expected(definitions))
    throw Error(name, "is an expected archive", fmt::format("give the observed one first: {} OBS EXP", verb),
                ExitCode::kNotComparable);
}

void require_made_from(const Expected& expected, const Program& observed, const std::string& expected_name,
                       const std::string& observed_name) {
  if (expected.source.empty() || expected.source == observed.property("source")) return;
  throw Error(expected_name, fmt::format("was not made from {}", observed_name),
              "replay that archive again, or name the one it was made from", ExitCode::kNotComparable);
}

Expected read_expected(archive::Reader& reader, const Scratch& scratch, Workers* workers) {
  const archive::Definitions& definitions = reader.definitions();
  std::optional<RanksRead> read;
  if (const std::uint32_t useful = useful_readers(reader); workers != nullptr && workers->size() > 1 && useful > 1)
    read = read_ranks_together(*workers, reader, useful);
  if (!read) read = read_ranks(reader, {0, definitions.world_size()}, scratch);
  Expected expected;
  expected.ranks = std::move(read->ranks);
  expected.reasons = std::move(read->reasons);
  expected.scratch = scratch;
  expected.platform = property(definitions, names::kPropertyPlatform);
  expected.source = property(definitions, names::kPropertySource);
  expected.schedules = property(definitions, names::kPropertySchedules);
  expected.components = components_of(reader, expected.ranks);
  return expected;
}

}  // namespace plumbline::replay
