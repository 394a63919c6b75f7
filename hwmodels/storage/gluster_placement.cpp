#include "hwmodels/storage/gluster_placement.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace plumbline::hw::storage {
namespace {

// The constants are those of GlusterFS: files lie where it has put them.
constexpr std::uint32_t kDelta = 0x9E37'79B9;  // of TEA (Wheeler, Needham 1994)
constexpr int kRoundsOfBlock = 6, kRoundsOfLastBlock = 10;
constexpr std::size_t kWord = 4, kBlock = 16;  // bytes

using Key = std::array<std::uint32_t, kBlock / kWord>;

struct State {
  std::uint32_t left = 0x9464'A485, right = 0x542E'1A94;
};

// A block of the text is the key by which the state is enciphered; the result is added to it.
State compress(State state, const Key& key, int rounds) {
  State next = state;
  for (std::uint32_t round = 1, sum = kDelta; round <= static_cast<std::uint32_t>(rounds); ++round, sum += kDelta) {
    next.left += ((next.right << 4) + key[0]) ^ (next.right + sum) ^ ((next.right >> 5) + key[1]);
    next.right += ((next.left << 4) + key[2]) ^ (next.left + sum) ^ ((next.left >> 5) + key[3]);
  }
  return {state.left + next.left, state.right + next.right};
}

std::uint32_t byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// Whole words are little-endian, the last bytes are shifted in from the right behind the padding.
std::uint32_t word_at(std::string_view text, std::size_t at, std::uint32_t padding) {
  std::uint32_t word = 0;
  if (at + kWord <= text.size()) {
    for (std::size_t i = kWord; i-- > 0;) word = word << 8 | byte_at(text, at + i);
    return word;
  }
  word = padding;
  for (; at < text.size(); ++at) word = word << 8 | byte_at(text, at);
  return word;
}

Key key_at(std::string_view text, std::size_t at, std::uint32_t padding) {
  Key key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = word_at(text, at + i * kWord, padding);
  return key;
}

}  // namespace

std::uint32_t gluster_hash(std::string_view text) {
  const auto length = static_cast<std::uint32_t>(text.size());
  const std::uint32_t twice = length | length << 8, padding = twice | twice << 16;
  State state;
  std::size_t at = 0;
  for (; at + kBlock <= text.size(); at += kBlock) state = compress(state, key_at(text, at, padding), kRoundsOfBlock);
  state = compress(state, key_at(text, at, padding), kRoundsOfLastBlock);
  return state.left ^ state.right;
}

std::string_view gluster_hashed_part(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const bool is_temporary = name.starts_with('.') && dot != name.npos && dot > 1 && dot + 1 < name.size();
  return is_temporary ? name.substr(1, dot - 1) : name;
}

// Each directory divides the values of the hash into equal ranges, one a brick. Which brick has the first range follows
// from the hash of the directory's path.
std::uint32_t gluster_brick(std::string_view path, std::uint32_t bricks) {
  const std::size_t slash = path.rfind('/');
  const std::string_view directory = slash == 0 || slash == path.npos ? "/" : path.substr(0, slash);
  const std::string_view name = slash == path.npos ? path : path.substr(slash + 1);
  const std::uint32_t range = std::numeric_limits<std::uint32_t>::max() / bricks;
  const std::uint32_t number = std::min(gluster_hash(gluster_hashed_part(name)) / range, bricks - 1);
  const std::uint32_t first = gluster_hash(gluster_hashed_part(directory)) % bricks;
  return (first + number) % bricks;
}

}  // namespace plumbline::hw::storage
