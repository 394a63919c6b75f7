#pragma once
// Names that may have been meant by one that does not exist.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

// Insertions, deletions and substitutions of characters, and exchanges of two beside each other, that turn one into the
// other (Damerau 1964; no part is changed twice).
std::size_t edit_distance(std::string_view a, std::string_view b);

// At most `most` of the names that are nearest to `word`, nearest first, of equally near ones in their order; none that
// is so far away that it is another word.
std::vector<std::string_view> nearest(std::string_view word, std::span<const std::string> known, std::size_t most);

// "did you mean 'rate'?", "did you mean 'rate' or 'gate'?" with at most `most` names, or `otherwise` when nothing is
// near.
std::string did_you_mean(std::string_view word, std::span<const std::string> known, std::string_view otherwise,
                         std::size_t most = 3);

// Likewise, or "known: a, b" with all of them.
std::string did_you_mean_one_of(std::string_view word, std::span<const std::string> known);

}  // namespace plumbline
