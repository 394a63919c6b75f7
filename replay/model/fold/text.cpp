#include "replay/model/fold/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "replay/model/fold/attributes.hpp"

namespace plumbline::replay::model {
namespace {

constexpr double kAlike = 0.005;                         // of a time
constexpr double kMostApart = 2e-3, kNegligible = 1e-5;  // of what the longest rank does

class Writer {
 public:
  Writer(const Program& program, const RecordedCalls& calls)
      : standing_{program, calls, {}, {}, 0}, all_(program.ranks()) {}

  FoldedText write(const RankedBlock& block) {
    RankSet everyone;
    for (std::uint32_t rank = 0; rank < all_; ++rank) everyone.add(rank);
    statements(block, everyone, 1);
    return std::move(out_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    out_.text += std::string(2 * standing_.depth, ' ') + fmt::format(form, std::forward<Args>(args)...) + "\n";
  }

  template <class... Args>
  void directive(fmt::format_string<Args...> form, Args&&... args) {
    ++out_.directives;
    line(form, std::forward<Args>(args)...);
  }

  // `times`: how often the block is run.
  void statements(std::span<const RankedStatement> block, const RankSet& around, double times) {
    for (std::size_t begin = 0, end = 0; begin < block.size(); begin = end) {
      while (end < block.size() && block[end].ranks == block[begin].ranks) ++end;
      const auto alike = block.subspan(begin, end - begin);
      if (alike.front().ranks == around) {
        for (const RankedStatement& one : alike) statement(one, times);
        continue;
      }
      for (const std::string& condition : conditions_of(alike.front().ranks, all_)) {
        directive("Runon c1 = {}", condition);
        open();
        for (const RankedStatement& one : alike) statement(one, times);
        close();
      }
    }
  }

  void open() {
    line("{{");
    ++standing_.depth;
    site_ = kNone;
  }

  void close() {
    --standing_.depth;
    line("}}");
    site_ = kNone;
  }

  void statement(const RankedStatement& one, double times) {
    const double busy = standing_.calls.busy();
    standing_.alike = {kAlike, kMostApart * busy / times, kNegligible * busy / times};
    before(one);
    if (one.iterations > 0)
      loop(one, times);
    else if (one.call.type != nullptr)
      message(one);
  }

  // Calls that take next to nothing are part of the computation around them.
  void before(const RankedStatement& one) {
    const bool is_apart = one.call.left_out != kNone || std::ranges::any_of(one.before, [&](const RankGap& gap) {
                            return gap.kept > standing_.alike.negligible || !gap.kept_beyond.empty();
                          });
    std::vector<RankTime> computed, kept;
    for (const RankGap& gap : one.before) {
      computed.push_back({gap.rank, gap.computed + (is_apart ? 0 : gap.kept)});
      kept.push_back({gap.rank, is_apart ? gap.kept : 0});
    }
    const std::string factor = fmt::format("*{}", kComputation);
    if (const std::string text = time_text(computed, standing_.alike, all_, factor); !text.empty())
      directive("Serial time = {}", text);
    for (const RankGap& gap : one.before) beyond(one, "Serial", gap.rank, gap.computed_beyond, factor);
    if (one.call.left_out != kNone) tell_left_out(one.call);
    if (const std::string text = time_text(kept, standing_.alike, all_, ""); !text.empty())
      directive("Delay time = {}", text);
    for (const RankGap& gap : one.before) beyond(one, "Delay", gap.rank, gap.kept_beyond, "");
  }

  // Some of the times it takes longer.
  void beyond(const RankedStatement& one, const char* what, std::uint32_t rank, const std::vector<Passage>& passages,
              const std::string& factor) {
    if (!passages.empty()) directive("{} time = {}", what, longer_text(rank, one.ranks, passages, factor, standing_));
  }

  void loop(const RankedStatement& one, double times) {
    const std::string variable = fmt::format("i{}", standing_.loops.size());
    const bool varies = uses_variable(one.body, standing_.loops.size());
    directive("Loop iterations = {}{}", one.iterations, varies ? " variable = " + variable : "");
    open();
    standing_.loops.push_back({variable, one.iterations});
    statements(one.body, one.ranks, times * static_cast<double>(one.iterations));
    standing_.loops.pop_back();
    close();
  }

  std::string site_of(const FoldedCall& call) const {
    std::string site(standing_.program.site(call.site));
    std::ranges::replace_if(
        site, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return site;
  }

  void tell_left_out(const FoldedCall& call) {
    const std::string site = site_of(call);
    line("# {}{}{}, not folded:", standing_.program.call(static_cast<std::uint16_t>(call.left_out)),
         site.empty() ? "" : " at ", site);
  }

  void message(const RankedStatement& one) {
    const FoldedCall& call = one.call;
    if (call.site != site_)
      if (const std::string site = site_of(call); !site.empty()) line("# {}", site);
    site_ = call.site;
    if (one.ranks.size() > 1 && is_too_long(one, standing_)) return message_in_parts(one);
    directive("Message type = {}{}", call.type->name, attributes_of(one, standing_));
  }

  // An expression does not hold all of the ranks: half of them each.
  void message_in_parts(const RankedStatement& one) {
    std::vector<RankedStatement> parts(2, one);
    for (RankedStatement& part : parts) part.ranks = {}, part.displacements.clear(), part.before.clear();
    for (std::size_t i = 0; i < one.before.size(); ++i) {
      RankedStatement& part = parts[2 * i < one.before.size() ? 0 : 1];
      part.ranks.add(one.before[i].rank);
      part.before.push_back(one.before[i]);
      if (!one.displacements.empty()) part.displacements.push_back(one.displacements[i]);
    }
    for (const RankedStatement& part : parts)
      for (const std::string& condition : conditions_of(part.ranks, all_)) {
        directive("Runon c1 = {}", condition);
        open();
        message(part);
        close();
      }
  }

  Standing standing_;
  const std::uint32_t all_;
  FoldedText out_;
  std::uint32_t site_ = kNone;  // that was told last
};

}  // namespace

FoldedText directives_of(const Program& program, const RecordedCalls& calls, const RankedBlock& block) {
  return Writer(program, calls).write(block);
}

}  // namespace plumbline::replay::model
