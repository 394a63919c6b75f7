#include "replay/compare/pairing/alignment.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace plumbline::replay {
namespace {

using Elements = std::span<const std::uint32_t>;

constexpr std::size_t kWindow = 512;     // elements of each sequence
constexpr int kMostEdits = 256;          // in a window
constexpr unsigned kMostDivisions = 16;  // by unique elements, one within the other

// Elements [a_begin, a_end) and [b_begin, b_end) of the sequences.
struct Part {
  std::uint32_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;

  bool is_one_sided() const { return a_begin == a_end || b_begin == b_end; }
};

// Pairs of the parts that both sequences have, where `x` and `y` are at most kWindow long: of a shortest edit script,
// or where that has more than kMostEdits of the script that comes farthest with so many.
class EditScript {
 public:
  EditScript(Elements x, Elements y)
      : x_(x), y_(y), width_(static_cast<int>(x.size())), height_(static_cast<int>(y.size())) {}

  bool is_whole() const { return is_whole_; }

  std::vector<AlignedPair> pairs() {
    int edits = 0;
    for (;; ++edits) {
      rows_.emplace_back(static_cast<std::size_t>(2 * edits + 1));
      for (int k = -edits; k <= edits; k += 2) extend(edits, k);
      if (is_whole_ || edits == kMostEdits) break;
    }
    return trace(edits, is_whole_ ? width_ - height_ : farthest(edits));
  }

 private:
  // Column that is reached on diagonal k with so many edits; diagonals are numbered by column - row.
  int& reached(int edits, int k) {
    return rows_[static_cast<std::size_t>(edits)][static_cast<std::size_t>(std::ptrdiff_t{k} + edits)];
  }

  bool goes_down(int edits, int k) {
    return k == -edits || (k != edits && reached(edits - 1, k - 1) < reached(edits - 1, k + 1));
  }

  int start_of(int edits, int k) {
    if (edits == 0) return 0;
    return goes_down(edits, k) ? reached(edits - 1, k + 1) : reached(edits - 1, k - 1) + 1;
  }

  void extend(int edits, int k) {
    int column = start_of(edits, k);
    // What leaves the table never comes back: it must not look as if it had come far.
    if (column < 0 || column > width_ || column - k > height_) {
      reached(edits, k) = kOutside;
      return;
    }
    while (column < width_ && column - k < height_ &&
           x_[static_cast<std::size_t>(column)] == y_[static_cast<std::size_t>(column - k)])
      ++column;
    reached(edits, k) = column;
    if (column == width_ && column - k == height_) is_whole_ = true;
  }

  int farthest(int edits) {
    int best = edits;
    for (int k = -edits; k <= edits; k += 2)
      if (2 * reached(edits, k) - k > 2 * reached(edits, best) - best) best = k;
    return best;
  }

  std::vector<AlignedPair> trace(int edits, int k) {
    std::vector<AlignedPair> pairs;
    for (int column = reached(edits, k);; --edits) {
      for (const int start = start_of(edits, k); column > start; --column)
        pairs.push_back({static_cast<std::uint32_t>(column - 1), static_cast<std::uint32_t>(column - 1 - k)});
      if (edits == 0) break;
      k += goes_down(edits, k) ? 1 : -1;
      column = reached(edits - 1, k);
    }
    std::ranges::reverse(pairs);
    return pairs;
  }

  static constexpr int kOutside = -(1 << 20);

  const Elements x_, y_;
  const int width_, height_;
  bool is_whole_ = false;
  std::vector<std::vector<int>> rows_;  // by number of edits, then diagonal
};

class Aligner {
 public:
  Aligner(Elements a, Elements b) : a_(a), b_(b) {}

  std::vector<AlignedPair> run() {
    align({0, static_cast<std::uint32_t>(a_.size()), 0, static_cast<std::uint32_t>(b_.size())}, 0);
    return std::move(pairs_);
  }

 private:
  void add(std::uint32_t a, std::uint32_t b) { pairs_.push_back({a, b}); }

  void align(Part part, unsigned division) {
    while (!part.is_one_sided() && a_[part.a_begin] == b_[part.b_begin]) add(part.a_begin++, part.b_begin++);
    std::uint32_t behind = 0;
    for (; !part.is_one_sided() && a_[part.a_end - 1] == b_[part.b_end - 1]; ++behind) --part.a_end, --part.b_end;
    if (!part.is_one_sided()) align_between(part, division);
    for (std::uint32_t i = 0; i < behind; ++i) add(part.a_end + i, part.b_end + i);
  }

  void align_between(Part part, unsigned division) {
    // Within a window the shortest script is found, and an element may be unique there by chance.
    const bool is_short = part.a_end - part.a_begin <= kWindow && part.b_end - part.b_begin <= kWindow;
    const std::vector<AlignedPair> fixed =
        !is_short && division < kMostDivisions ? in_order(unique_in_both(part)) : std::vector<AlignedPair>{};
    if (fixed.empty()) {
      align_in_windows(part);
      return;
    }
    for (const AlignedPair& pair : fixed) {
      align({part.a_begin, pair.a, part.b_begin, pair.b}, division + 1);
      add(pair.a, pair.b);
      part.a_begin = pair.a + 1;
      part.b_begin = pair.b + 1;
    }
    align(part, division + 1);
  }

  // In the order of the first sequence.
  std::vector<AlignedPair> unique_in_both(const Part& part) const {
    struct Seen {
      std::uint32_t in_a = 0, in_b = 0, at = 0;
    };
    std::unordered_map<std::uint32_t, Seen> seen;
    for (std::uint32_t i = part.a_begin; i < part.a_end; ++i) ++seen[a_[i]].in_a;
    for (std::uint32_t i = part.b_begin; i < part.b_end; ++i)
      if (const auto found = seen.find(b_[i]); found != seen.end()) ++found->second.in_b, found->second.at = i;
    std::vector<AlignedPair> unique;
    for (std::uint32_t i = part.a_begin; i < part.a_end; ++i)
      if (const Seen& of = seen[a_[i]]; of.in_a == 1 && of.in_b == 1) unique.push_back({i, of.at});
    return unique;
  }

  // A longest choice of these that ascends in both.
  static std::vector<AlignedPair> in_order(const std::vector<AlignedPair>& pairs) {
    std::vector<std::size_t> ends, before(pairs.size());  // ends: by length, the end that comes first
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto place = std::ranges::lower_bound(ends, pairs[i].b, {}, [&](std::size_t end) { return pairs[end].b; });
      before[i] = place == ends.begin() ? i : *(place - 1);
      if (place == ends.end())
        ends.push_back(i);
      else
        *place = i;
    }
    std::vector<AlignedPair> chosen(ends.size());
    std::size_t at = ends.empty() ? 0 : ends.back();
    for (std::size_t length = ends.size(); length > 0; --length, at = before[at]) chosen[length - 1] = pairs[at];
    return chosen;
  }

  void align_in_windows(Part part) {
    while (!part.is_one_sided()) {
      const std::size_t width = std::min<std::size_t>(kWindow, part.a_end - part.a_begin);
      const std::size_t height = std::min<std::size_t>(kWindow, part.b_end - part.b_begin);
      EditScript script(a_.subspan(part.a_begin, width), b_.subspan(part.b_begin, height));
      const std::vector<AlignedPair> found = script.pairs();
      const bool cut_a = part.a_begin + width < part.a_end, cut_b = part.b_begin + height < part.b_end;
      const Part before = part;
      for (const AlignedPair& pair : found) {
        // Near the end of a window that is cut off, what is behind it might match better.
        if (script.is_whole() && ((cut_a && pair.a >= width / 4 * 3) || (cut_b && pair.b >= height / 4 * 3))) break;
        add(before.a_begin + pair.a, before.b_begin + pair.b);
        part.a_begin = before.a_begin + pair.a + 1;
        part.b_begin = before.b_begin + pair.b + 1;
      }
      if (!cut_a && !cut_b && script.is_whole()) return;
      if (part.a_begin == before.a_begin) skip(part, width, height, cut_a, cut_b);
    }
  }

  // Nothing of the windows matches.
  static void skip(Part& part, std::size_t width, std::size_t height, bool cut_a, bool cut_b) {
    if (cut_a || !cut_b) part.a_begin += static_cast<std::uint32_t>((width + 1) / 2);
    if (cut_b || !cut_a) part.b_begin += static_cast<std::uint32_t>((height + 1) / 2);
  }

  const Elements a_, b_;
  std::vector<AlignedPair> pairs_;
};

}  // namespace

std::vector<AlignedPair> align(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  return Aligner(a, b).run();
}

}  // namespace plumbline::replay
