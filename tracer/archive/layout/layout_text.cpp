#include <fmt/format.h>

#include <charconv>

#include "tracer/archive/layout/layout.hpp"

namespace plumbline::archive {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  template <typename T>
  bool number(T& value) {
    const bool canonical =
        !rest_.starts_with("-0") && (!rest_.starts_with("0") || rest_.size() == 1 || rest_[1] < '0' || rest_[1] > '9');
    const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (code != std::errc{} || !canonical) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// "1024x2048@0/8192", or "2048@0" for a single piece.
bool parse_block(Parser& parser, Block& block) {
  std::uint64_t first = 0;
  if (!parser.number(first)) return false;
  block.length = first;
  if (parser.take("x")) {
    block.count = first;
    if (!parser.number(block.length) || block.count < 2) return false;
  }
  if (!parser.take("@") || !parser.number(block.offset)) return false;
  return block.count == 1 || (parser.take("/") && parser.number(block.stride));
}

bool adds_up(const Layout& layout) {
  std::uint64_t sum = 0;
  for (const Block& block : layout.blocks) {
    std::uint64_t bytes = 0;
    if (block.length == 0 || __builtin_mul_overflow(block.length, block.count, &bytes) ||
        __builtin_add_overflow(sum, bytes, &sum))
      return false;
  }
  return sum == layout.size;
}

}  // namespace

std::string to_text(const Layout& layout) {
  std::string text = fmt::format("disp={} ", layout.displacement);
  if (layout.lower_bound != 0) text += fmt::format("lb={} ", layout.lower_bound);
  text += fmt::format("extent={} size={}:", layout.extent, layout.size);
  if (layout.opaque) return text + " opaque";
  for (const Block& block : layout.blocks) {
    if (block.count == 1)
      text += fmt::format(" {}@{}", block.length, block.offset);
    else
      text += fmt::format(" {}x{}@{}/{}", block.count, block.length, block.offset, block.stride);
  }
  return text;
}

std::optional<Layout> parse_layout(std::string_view text) {
  Parser parser(text);
  Layout layout;
  if (!parser.take("disp=") || !parser.number(layout.displacement)) return std::nullopt;
  if (parser.take(" lb=") && (!parser.number(layout.lower_bound) || layout.lower_bound == 0)) return std::nullopt;
  if (!parser.take(" extent=") || !parser.number(layout.extent)) return std::nullopt;
  if (!parser.take(" size=") || !parser.number(layout.size)) return std::nullopt;
  if (!parser.take(":")) return std::nullopt;
  if (parser.take(" opaque")) {
    layout.opaque = true;
    return parser.at_end() ? std::optional(layout) : std::nullopt;
  }
  while (parser.take(" ")) {
    Block block;
    if (layout.blocks.size() == kMaxBlocks || !parse_block(parser, block)) return std::nullopt;
    layout.blocks.push_back(block);
  }
  if (!parser.at_end() || !adds_up(layout)) return std::nullopt;
  return layout;
}

}  // namespace plumbline::archive
