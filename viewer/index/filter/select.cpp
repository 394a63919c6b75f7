#include "viewer/index/filter/select.hpp"

#include <algorithm>
#include <array>

#include "viewer/index/filter/filter.hpp"

namespace plumbline::viewer {
namespace {

using Block = std::array<std::uint8_t, kFilterBlock>;

// Of one node for a block of operations; its operands come before it.
void combine(const FilterNode& node, std::span<const Block> blocks, Block& out, std::size_t size) {
  const Block& left = blocks[node.left];
  const Block& right = blocks[node.right];
  const auto each = [&](auto result) {
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::uint8_t>(result(left[i], right[i]));
  };
  if (node.kind == NodeKind::kAnd) return each([](unsigned a, unsigned b) { return a & b; });
  if (node.kind == NodeKind::kOr) return each([](unsigned a, unsigned b) { return a | b; });
  each([](unsigned a, unsigned) { return a ^ 1U; });
}

void test_block(const Filter& filter, std::vector<Block>& blocks, std::uint32_t rank, std::uint32_t first,
                std::span<std::uint8_t> out) {
  for (std::size_t n = 0; n < filter.nodes.size(); ++n) {
    const FilterNode& node = filter.nodes[n];
    if (node.kind == NodeKind::kTest)
      apply(filter, filter.tests[node.left], rank, first, std::span(blocks[n]).first(out.size()));
    else
      combine(node, blocks, blocks[n], out.size());
  }
  std::copy_n(blocks[filter.nodes.size() - 1].begin(), out.size(), out.begin());
}

enum class Answer { kNo, kYes, kMaybe };

// What the rank alone tells of a test.
Answer answer_of(const Filter& filter, const CompiledTest& test, std::uint32_t rank) {
  const bool of_rank = test.field == Field::kRank || test.field == Field::kNode;
  if (!of_rank || filter.runs->observed.rank(rank).operations.empty()) return Answer::kMaybe;
  std::array<std::uint8_t, 1> first{};
  apply(filter, test, rank, 0, first);
  return first[0] != 0 ? Answer::kYes : Answer::kNo;
}

Answer combined(NodeKind kind, Answer left, Answer right) {
  if (kind == NodeKind::kNot) return left == Answer::kMaybe ? left : left == Answer::kYes ? Answer::kNo : Answer::kYes;
  const Answer decides = kind == NodeKind::kAnd ? Answer::kNo : Answer::kYes;
  if (left == decides || right == decides) return decides;
  return left == Answer::kMaybe || right == Answer::kMaybe ? Answer::kMaybe : left;
}

}  // namespace

Selection::Selection(const Runs& runs, std::string_view expression)
    : filter_(std::make_unique<const Filter>(compile(runs, parse_expression(expression)))) {}
Selection::~Selection() = default;
Selection::Selection(Selection&&) noexcept = default;
Selection& Selection::operator=(Selection&&) noexcept = default;

bool Selection::is_everything() const { return filter_->nodes.empty(); }

bool Selection::contains(OperationId id) const {
  std::array<std::uint8_t, 1> out{};
  test(id.rank, id.operation, out);
  return out[0] != 0;
}

void Selection::test(std::uint32_t rank, std::uint32_t first, std::span<std::uint8_t> out) const {
  if (is_everything()) {
    std::ranges::fill(out, std::uint8_t{1});
    return;
  }
  std::vector<Block> blocks(filter_->nodes.size());
  for (std::size_t done = 0; done < out.size(); done += kFilterBlock)
    test_block(*filter_, blocks, rank, first + static_cast<std::uint32_t>(done),
               out.subspan(done, std::min(kFilterBlock, out.size() - done)));
}

bool Selection::may_contain(std::uint32_t rank) const {
  if (is_everything()) return true;
  std::vector<Answer> answers;
  for (const FilterNode& node : filter_->nodes)
    answers.push_back(node.kind == NodeKind::kTest ? answer_of(*filter_, filter_->tests[node.left], rank)
                                                   : combined(node.kind, answers[node.left], answers[node.right]));
  return answers.back() != Answer::kNo;
}

}  // namespace plumbline::viewer
