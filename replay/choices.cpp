#include "replay/choices.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "replay/mpi/schedules/algorithms.hpp"

namespace plumbline::replay {
namespace {

namespace schedules = mpi::schedules;

// "did you mean 'ring' or 'neighbor'? there are also: a, b": the nearest first.
std::string nearest(std::string_view word, std::vector<std::string_view> known) {
  std::stable_sort(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
    const bool a_begins = a.starts_with(word), b_begins = b.starts_with(word);
    if (a_begins != b_begins) return a_begins;
    return edit_distance(word, a) < edit_distance(word, b);
  });
  std::string text = "did you mean ";
  const std::size_t shown = std::min<std::size_t>(known.size(), 3);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == shown ? " or " : ", ";
    text += "'" + std::string(known[i]) + "'";
  }
  text += "?";
  for (std::size_t i = shown; i < known.size(); ++i)
    text += (i == shown ? " there are also: " : ", ") + std::string(known[i]);
  return text;
}

std::vector<std::string_view> operation_names() {
  std::vector<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(schedules::kLastOperation); ++i)
    names.push_back(to_string(static_cast<schedules::Operation>(i)));
  return names;
}

std::optional<schedules::Operation> operation_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(schedules::kLastOperation); ++i)
    if (to_string(static_cast<schedules::Operation>(i)) == name) return static_cast<schedules::Operation>(i);
  return std::nullopt;
}

std::vector<std::string_view> algorithm_names(schedules::Operation operation, std::string_view library) {
  std::vector<std::string_view> names;
  for (const std::string_view of : schedules::kLibraries)
    for (const schedules::Algorithm& algorithm : schedules::algorithms_for(of, operation))
      if ((library.empty() || library == of) && std::ranges::find(names, algorithm.name) == names.end() &&
          algorithm.name != "self")
        names.push_back(algorithm.name);
  return names;
}

}  // namespace

void force_collective(std::string_view text, Choices& choices) {
  const std::string where(text);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    throw Error(where, "names no algorithm", "write OPERATION=ALGORITHM, for example allreduce=ring");
  const std::string_view operation_name = text.substr(0, equals);
  const std::optional<schedules::Operation> operation = operation_named(operation_name);
  if (!operation)
    throw Error(where, "there is no collective '" + std::string(operation_name) + "'",
                nearest(operation_name, operation_names()));
  const std::string_view full = text.substr(equals + 1);
  const std::size_t colon = full.find(':');
  const std::string_view library = colon == std::string_view::npos ? std::string_view() : full.substr(0, colon);
  const std::string_view name = colon == std::string_view::npos ? full : full.substr(colon + 1);
  if (!library.empty() && std::ranges::find(schedules::kLibraries, library) == schedules::kLibraries.end())
    throw Error(where, "no algorithms of the library '" + std::string(library) + "' are known",
                nearest(library, {schedules::kLibraries.begin(), schedules::kLibraries.end()}));
  const std::vector<std::string_view> known = algorithm_names(*operation, library);
  const auto is_known = [&](std::string_view algorithm) {
    return schedules::is_called({library, *operation, algorithm}, name);
  };
  if (std::ranges::none_of(known, is_known))
    throw Error(where, std::string(operation_name) + " has no algorithm '" + std::string(name) + "'",
                nearest(name, known));
  choices.collectives[*operation] = std::string(full);
}

}  // namespace plumbline::replay
