#include "replay/model/fold/attributes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/quantity.hpp"

namespace plumbline::replay::model {
namespace {

constexpr std::size_t kOnALine = 10;  // of a table

// Counted over the loops around.
std::string number_of_passage(const std::vector<LoopAround>& loops) {
  std::string text;
  for (const LoopAround& loop : loops) {
    const bool is_sum = text.find('+') != text.npos;
    if (is_sum) text = "(" + text + ")";
    text = text.empty() ? loop.variable : fmt::format("{}*{}+{}", text, loop.iterations, loop.variable);
  }
  return text;
}

std::string table_of(const std::vector<Passage>& passages, const Standing& standing) {
  std::string table = fmt::format("table({}", number_of_passage(standing.loops));
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const bool goes_on_below = i > 0 && i % kOnALine == 0;
    table += goes_on_below ? ",\n" + std::string(2 * standing.depth, ' ') + "& " : ", ";
    table += fmt::format("{}, {}", passages[i].number, format_exact(Duration{std::llround(passages[i].time)}));
  }
  return table + ")";
}

// What holds for one of the ranks alone.
std::string of_rank(std::uint32_t rank, const RankSet& ranks, const std::string& time, const Standing& standing) {
  const RankSet own(rank);
  if (ranks == own) return time;
  return fmt::format("({}) ? {} : 0s", conditions_of(own, standing.program.ranks()).front(), time);
}

// With each loop around, from the outermost one on.
std::string growth(const std::vector<std::int64_t>& strides, const std::vector<LoopAround>& loops) {
  std::string text;
  for (std::size_t i = 0; i < strides.size(); ++i)
    if (const std::int64_t stride = strides[strides.size() - 1 - i]; stride != 0)
      text += fmt::format("{}{}*{}", stride > 0 ? "+" : "-", loops[i].variable, std::abs(stride));
  return text;
}

std::string displacement_of(const RankedStatement& one, const Standing& standing) {
  if (one.call.view == kNone) return "";
  const std::string first = text_of(one.displacements, one.ranks, standing.program.ranks()),
                    grows = growth(one.shifts, standing.loops);
  return first == "0" && grows.empty() ? "" : first + grows;
}

std::string least_of(const RankedStatement& one, const Standing& standing) {
  std::vector<RankTime> least;
  std::string beyond;
  for (const RankGap& gap : one.before) {
    least.push_back({gap.rank, gap.least});
    if (!gap.least_beyond.empty())
      beyond += fmt::format("+({})", longer_text(gap.rank, one.ranks, gap.least_beyond, "", standing));
  }
  const auto tells_nothing = [&](const RankTime& time) { return time.time <= standing.alike.negligible; };
  if (beyond.empty() && std::ranges::all_of(least, tells_nothing)) return "";
  const std::string usual = time_text(least, standing.alike, standing.program.ranks(), "");
  return (usual.empty() ? "0s" : beyond.empty() ? usual : "(" + usual + ")") + beyond;
}

// Empty: as it is where it is not told.
std::string value_of(const RankedStatement& one, Attribute attribute, const Standing& standing) {
  const FoldedCall& call = one.call;
  const std::uint32_t all = standing.program.ranks();
  const bool both = call.type->kind == OpKind::kSendrecv;
  const auto unless = [](auto value, auto usual) { return value == usual ? "" : std::to_string(value); };
  switch (attribute) {
    case Attribute::kSize:
      return std::to_string(call.size);
    case Attribute::kFrom:
      return contains(call.type->required, attribute) ? text_of(one.from, one.ranks, all) : "";
    case Attribute::kTo:
      return contains(call.type->required, attribute) ? text_of(one.to, one.ranks, all) : "";
    case Attribute::kTag:
      return unless(call.tag, 0);
    case Attribute::kRoot:
      return unless(call.root, 0);
    case Attribute::kReceiveSize:
      return both ? unless(call.receive_size, call.size) : "";
    case Attribute::kReceiveTag:
      return both ? unless(call.receive_tag, call.tag) : "";
    case Attribute::kOffset:
      return text_of(one.offset) + growth(one.strides, standing.loops);
    case Attribute::kDisplacement:
      return displacement_of(one, standing);
    case Attribute::kLeast:
      return least_of(one, standing);
    case Attribute::kView:
      return call.view == kNone ? "" : fmt::format("\"{}\"", standing.calls.files().views()[call.view]);
    case Attribute::kFile:
      return fmt::format("\"{}\"", standing.program.file(call.file));
    case Attribute::kRequest:
      return call.request == kNone ? "" : fmt::format("r{}", call.request);
  }
  return "";
}

}  // namespace

std::string attributes_of(const RankedStatement& one, const Standing& standing) {
  const MessageType& type = *one.call.type;
  std::string text;
  for (std::size_t i = 0; i < kAttributes; ++i) {
    const auto attribute = static_cast<Attribute>(i);
    if (attribute != Attribute::kLeast && !contains(type.required | type.optional, attribute)) continue;
    if (const std::string value = value_of(one, attribute, standing); !value.empty())
      text += fmt::format(" {} = {}", name_of(attribute), value);
  }
  return text;
}

bool is_too_long(const RankedStatement& one, const Standing& standing) {
  return displacement_of(one, standing).size() > kLongestExpression ||
         least_of(one, standing).size() > kLongestExpression;
}

std::string longer_text(std::uint32_t rank, const RankSet& ranks, const std::vector<Passage>& passages,
                        const std::string& factor, const Standing& standing) {
  return of_rank(rank, ranks, table_of(passages, standing) + factor, standing);
}

bool uses_variable(std::span<const RankedStatement> block, std::size_t around) {
  const auto grows = [&](const std::vector<std::int64_t>& strides) {
    return strides.size() > around && strides[strides.size() - 1 - around] != 0;
  };
  const auto differs = [](const RankGap& gap) {
    return !gap.computed_beyond.empty() || !gap.kept_beyond.empty() || !gap.least_beyond.empty();
  };
  return std::ranges::any_of(block, [&](const RankedStatement& one) {
    return std::ranges::any_of(one.before, differs) || uses_variable(one.body, around) || grows(one.strides) ||
           grows(one.shifts);
  });
}

}  // namespace plumbline::replay::model
