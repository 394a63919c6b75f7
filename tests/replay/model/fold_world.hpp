#pragma once
// Programs as text (docs/internals/program-text.md), folded into models.

#include <string>

#include "replay/model/fold/fold.hpp"
#include "world.hpp"

namespace plumbline::replay::model::test {

inline Program recorded(const std::string& text) {
  const plumbline::test::TemporaryDirectory directory;
  return parse_program(text, "recorded.txt", directory.path() / "program");
}

inline FoldedModel folded(const std::string& text) { return fold(recorded(text), "recorded"); }

// Without what stands before the first directive that does something.
inline std::string model_text_of(const std::string& text) {
  const std::string model = folded(text).text, head = "Constant computation = 1\n";
  return model.substr(model.find(head) + head.size());
}

// The same lines for every rank, with RANK, NEXT and LAST (its neighbours round a ring) replaced by numbers.
inline std::string on_all_ranks(std::uint32_t ranks, const std::string& lines) {
  std::string text = "ranks " + std::to_string(ranks) + "\n";
  const auto replace = [](std::string in, const std::string& word, std::uint32_t number) {
    for (std::size_t at = in.find(word); at != in.npos; at = in.find(word))
      in.replace(at, word.size(), std::to_string(number));
    return in;
  };
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    std::string own = replace(lines, "RANK", rank);
    own = replace(own, "NEXT", (rank + 1) % ranks);
    text += "rank " + std::to_string(rank) + "\nlocal MPI_Init\n" + replace(own, "LAST", (rank + ranks - 1) % ranks);
  }
  return text;
}

inline std::string repeated(int times, const std::string& text) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace plumbline::replay::model::test
